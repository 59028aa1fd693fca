/** Debian's libfaketime. */
export const FAKETIME = '/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1';

/** The variables with which a process has another time. */
export function clockOff(by: string): Record<string, string> {
  return { LD_PRELOAD: FAKETIME, FAKETIME: by, FAKETIME_DONT_FAKE_MONOTONIC: '1' };
}
