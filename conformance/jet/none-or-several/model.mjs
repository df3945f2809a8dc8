export function* action(x) {
  for (let i = 0; i < x; i++) yield 'é'
}
