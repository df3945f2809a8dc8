export function action(x) {
  emit('seen', 3)
  emit(-x)
}

export function other(text, slot, number) {
  emit(`${text} ${slot} ${number}`, 3)
}
