# Nothing comes in; the tables that the numerical tests compare with go out: values computed by R, 17 digits each.
#
#   Rscript scripts/r-tables.R packages/pfa/test/numerics/tables
#
# Each line of distributions.csv is: function, point or probability, parameters, value. The points are quantiles, so that
# the tables reach from the far tails to the middle of each distribution whatever its parameters are. A quantile of R is
# left out where R's own distribution function does not lead back to the probability.
folder <- commandArgs(trailingOnly = TRUE)[1]
digits <- function(x) sprintf("%.17g", x)
lines <- character(0)
add <- function(...) lines[length(lines) + 1] <<- paste(c(...), collapse = ",")

probabilities <- c(1e-300, 1e-100, 1e-20, 1e-5, 0.01, 0.3, 0.5, 0.8, 0.99, 1 - 1e-9)
distributions <- list(
  exponential = list("exp", list(1e-5, 0.5, 1, 700)),
  chi2 = list("chisq", list(1, 2, 3, 10, 101, 5000, 1e5)),
  gamma = list("gamma", list(c(1e-3, 1), c(0.1, 2), c(0.5, 1e-3), c(1, 3), c(2.5, 10), c(30, 0.1), c(99.5, 1), c(150, 2),
    c(1e4, 1), c(1e5, 1e-5)), scale = TRUE),
  beta = list("beta", list(c(1e-3, 2), c(2, 1e-3), c(0.1, 0.2), c(0.5, 0.5), c(1, 1), c(1, 3), c(2.5, 10), c(50, 0.7),
    c(99, 101), c(1e4, 3), c(5, 1e6), c(1e5, 1e5))),
  cauchy = list("cauchy", list(c(0, 1), c(-3, 0.01), c(1e3, 50))),
  f = list("f", list(c(1, 1), c(1, 10), c(2, 5), c(7, 3), c(30, 40), c(1000, 2), c(3, 1e6), c(1e5, 1e5))),
  lognormal = list("lnorm", list(c(0, 1), c(-3, 0.1), c(2, 5))),
  t = list("t", list(1, 2, 3, 10, 31, 500, 1e6, 2147483647)),
  uniform = list("unif", list(c(0, 1), c(-1e5, 3))),
  weibull = list("weibull", list(c(0.1, 1), c(1, 2), c(3, 0.01), c(50, 100))),
  poisson = list("pois", list(1e-3, 0.5, 3, 40, 1e3, 1e6)),
  binomial = list("binom", list(c(1, 0.3), c(5, 1e-5), c(17, 0.5), c(100, 0.99), c(1e4, 0.2), c(1e6, 1e-4), c(1e8, 0.5))),
  geometric = list("geom", list(1e-6, 0.1, 0.5, 0.999)),
  hypergeometric = list("hyper", list(c(5, 5, 3), c(1, 20, 4), c(50, 30, 60), c(1000, 2000, 100), c(1e5, 5e4, 300))),
  negativeBinomial = list("nbinom", list(c(1, 0.5), c(3, 1e-3), c(17, 0.9), c(400, 0.2)))
)
discrete <- c("poisson", "binomial", "geometric", "hypergeometric", "negativeBinomial")

call <- function(letter, entry, x, parameters) {
  arguments <- c(list(x), as.list(parameters))
  if (isTRUE(entry$scale)) names(arguments) <- c("", "shape", "scale")
  suppressWarnings(do.call(paste0(letter, entry[[1]]), arguments))
}

leadsBack <- function(entry, p, x, parameters) {
  arguments <- c(list(x), as.list(parameters), list(lower.tail = p < 0.5))
  if (isTRUE(entry$scale)) names(arguments)[2:3] <- c("shape", "scale")
  tail <- suppressWarnings(do.call(paste0("p", entry[[1]]), arguments))
  isTRUE(abs(tail / min(p, 1 - p) - 1) < 1e-9)
}

for (name in names(distributions)) {
  entry <- distributions[[name]]
  for (parameters in entry[[2]]) {
    row <- function(kind, x, value) if (is.finite(value)) add(paste0(name, kind), digits(c(x, parameters, value)))
    points <- unique(c(0, 1, sapply(probabilities, function(p) call("q", entry, p, parameters))))
    for (x in points[is.finite(points)]) {
      row("PDF", x, call("d", entry, x, parameters))
      row("CDF", x, call("p", entry, x, parameters))
    }
    for (p in probabilities) {
      x <- call("q", entry, p, parameters)
      if (name %in% discrete || (x != 0 && leadsBack(entry, p, x, parameters))) row("QF", p, x)
    }
  }
}
for (z in c(-37, -20, -5, -1.5, -1e-9, 0, 0.3, 2, 7)) for (scale in c(1, 0.01)) {
  add("gaussianLL", digits(c(2 + z * scale, 2, scale, dnorm(2 + z * scale, 2, scale, log = TRUE))))
  add("gaussianCDF", digits(c(2 + z * scale, 2, scale, pnorm(2 + z * scale, 2, scale))))
}
for (p in c(probabilities, 0.5 + 1e-12, 0.24, 0.26, 0.75)) add("gaussianQF", digits(c(p, 0, 3, qnorm(p, 0, 3))))
for (x in c(1e-300, 1e-10, 0.1, 0.5, 0.99, 1.3, 1.7, 2.2, 3, 7.7, 9.99, 10, 55.5, 1e4, 1e15, 1e300)) {
  add("lnGamma", digits(c(x, lgamma(x))))
  for (y in c(1e-5, 0.5, 4, 9.9, 30, 1e6)) add("lnBeta", digits(c(x, y, lbeta(x, y))))
}
for (x in c(-5, -2, -0.7, -1e-8, 0, 1e-150, 1e-4, 0.3, 0.999, 1, 1.4, 2.1, 4, 6, 12, 26)) {
  add("erf", digits(c(x, sign(x) * pchisq(2 * x^2, 1))))
  add("erfc", digits(c(x, 2 * pnorm(-x * sqrt(2)))))
}
for (n in c(2, 5, 20, 33)) for (k in 0:(n - 1)) if (choose(n, k) < 2^31) add("nChooseK", digits(c(n, k, choose(n, k))))
writeLines(lines, file.path(folder, "distributions.csv"))

# Linear algebra: one line per matrix, rows one after the other: function, rows, columns, entries of x, entries of the value.
lines <- character(0)
flat <- function(m) digits(as.vector(t(m)))
matrices <- list(
  matrix(c(4, 7, 2, 6), 2, byrow = TRUE),
  matrix(c(2, -1, 0, -1, 2, -1, 0, -1, 2), 3, byrow = TRUE),
  outer(1:5, 1:5, function(i, j) 1 / (i + j - 1)),
  outer(1:7, 1:7, function(i, j) cos(i * j) + (i == j)),
  outer(1:4, 1:4, function(i, j) 10^((i - j) / 2) + i * (i == j)),
  outer(1:4, 1:4, function(i, j) (0.5)^abs(i - j))
)
for (m in matrices) {
  n <- nrow(m)
  add("det", n, n, flat(m), digits(det(m)))
  add("inverse", n, n, flat(m), flat(solve(m)))
  parts <- eigen((m + t(m)) / 2, symmetric = TRUE)
  order <- order(1 / sqrt(abs(parts$values)))
  rows <- t(parts$vectors[, order]) / sqrt(abs(parts$values[order]))
  rows <- rows * ifelse(rows[, 1] < 0, -1, 1)
  add("eigenBasis", n, n, flat(m), flat(rows))
}
# The pseudo-inverse of a matrix of full rank, from its QR decomposition.
for (m in list(outer(1:6, 1:3, function(i, j) i^(j - 1)), t(outer(1:5, 1:2, function(i, j) sin(i + 3 * j))))) {
  inverse <- if (nrow(m) >= ncol(m)) qr.solve(qr(m), diag(nrow(m))) else t(qr.solve(qr(t(m)), diag(ncol(m))))
  add("inverse", nrow(m), ncol(m), flat(m), flat(inverse))
}
writeLines(lines, file.path(folder, "matrices.csv"))
