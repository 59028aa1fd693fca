/** A request that was not sent, because its time to start had passed. Nobody has seen anything of it. */
export class TooLate extends Error {
  /** @param hasConnected whether it was its connection that it had waited for */
  constructor(readonly hasConnected: boolean) {
    super('too late to be sent');
    this.name = 'TooLate';
  }
}

/** Milliseconds of the machine's monotonic clock, of which `performance.now` gives each thread its own. */
export function machineMs(): number {
  return Number(process.hrtime.bigint()) / 1_000_000;
}
