/** Debian's libfaketime. */
export const FAKETIME = '/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1';

/** The variables that shift a process's clock. */
export function clockOff(by: string): Record<string, string> {
  return { LD_PRELOAD: FAKETIME, FAKETIME: by, FAKETIME_DONT_FAKE_MONOTONIC: '1' };
}
