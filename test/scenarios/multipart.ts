// Models with attachments the way clients package them: parts come in, a body and its content type go out.

export interface Part {
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Uint8Array
}

/** `kind` is `form-data` or `mixed`. Hand-made bodies of `mixed` start with an empty line. */
export function multipart(kind: 'form-data' | 'mixed', parts: readonly Part[]) {
  const boundary = 'a-boundary-that-nothing-contains'
  const pieces: (string | Uint8Array)[] = kind === 'mixed' ? ['\r\n'] : []
  for (const { headers, body } of parts) {
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
    pieces.push(`--${boundary}\r\n${lines.join('')}\r\n`, body, '\r\n')
  }
  pieces.push(`--${boundary}--\r\n`)
  return {
    body: Buffer.concat(pieces.map((piece) => Buffer.from(piece as string))),
    headers: { 'content-type': `multipart/${kind}; boundary=${boundary}` },
  }
}

/** As the command-line client sends them: attachments first, the model last. */
export function formParts(model: { name: string; type: string; source: string }, attachments: readonly Part[]): Part[] {
  return [
    ...attachments,
    {
      headers: {
        'Content-Disposition': `form-data; name="x-model"; filename="${model.name}"`,
        'Content-Type': model.type,
      },
      body: model.source,
    },
  ]
}

export function inlineAttachment(name: string, type: string, body: Uint8Array): Part {
  return {
    headers: { 'Content-Disposition': `form-data; name="attachment"; filename="${name}"`, 'Content-Type': type },
    body,
  }
}

/** An attachment that the engine is to fetch from Model Manage. */
export function externalAttachment(model: string, name: string, type: string, size: number): Part {
  return {
    headers: {
      'Content-Disposition': `attachment; filename="${name}"`,
      'Content-Type': `message/external-body; access-type=x-model-manage; ref="urn:fastscore:attachment:${model}:${name}"`,
    },
    body: `Content-Type: ${type}\r\nContent-Length: ${size}\r\n\r\n`,
  }
}
