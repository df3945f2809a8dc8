begin <- function() Set(Cell("total"), 0)

action <- function(x) {
  Update(Cell("total"), function(total) total + x)
  emit(Get(Pool("names"), "k"))
}
