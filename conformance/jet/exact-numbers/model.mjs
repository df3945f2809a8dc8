export const action = (x) => x
