export const action = (x) => (typeof x === 'string' ? x.length : 0 - x.length)
