import 'nowhereToBeFound'

export const action = (x) => x
