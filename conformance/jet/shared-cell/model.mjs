export function begin() {
  cells('total').set(0)
}

export function action(x) {
  cells('total').update((total) => total + x)
  return pools('names').get('k')
}
