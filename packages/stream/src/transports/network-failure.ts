// What the network says comes in, a sentence goes out.

const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'the connection was refused; is something listening there?',
  ECONNRESET: 'the other side broke the connection',
  EPIPE: 'the other side has closed the connection',
  ENOTFOUND: 'there is no host of this name',
  EAI_AGAIN: 'the name of the host cannot be looked up at the moment',
  EHOSTUNREACH: 'the host cannot be reached',
  ENETUNREACH: 'the network cannot be reached',
  ETIMEDOUT: 'the other side does not answer',
  EADDRINUSE: 'the port is in use already',
  EADDRNOTAVAIL: 'the address is none of this machine',
  EACCES: 'permission is denied; ports below 1024 need privileges',
  EMSGSIZE: 'the message is too long',
}

export function networkReason(error: unknown): string {
  const { code = '', message } = error as NodeJS.ErrnoException
  return reasons[code] ?? (message || code)
}
