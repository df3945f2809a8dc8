/** What is answered: exactly this, or with what differs from machine to machine left open. */
export type Sentence = string | RegExp
