// Reading and writing that blocks: descriptors that do not wait by themselves are waited for.

const pause = new Int32Array(new SharedArrayBuffer(4))

export function retry(act: () => number): number {
  for (;;) {
    try {
      return act()
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error
      Atomics.wait(pause, 0, 0, 1)
    }
  }
}
