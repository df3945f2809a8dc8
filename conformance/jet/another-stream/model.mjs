export const action = (x) => x / 2
