import { offBy, TIMESTAMP_TOLERANCE_SECONDS } from '../../auth/index.js';
import type { KeptRefusal } from '../../request-log/index.js';

const ALLOWED = `the ${TIMESTAMP_TOLERANCE_SECONDS} seconds that are allowed`;

/** How the timestamp of a call stood to the server’s time when it arrived. */
export function clockAtArrival(secondsAhead: number): string {
  return isAllowed(secondsAhead)
    ? `${stood('was', secondsAhead)} when the call arrived, within ${ALLOWED}.`
    : `${stood('was', secondsAhead)} when the call arrived, more than ${ALLOWED}: it was refused for that, however it was signed.`;
}

/** How a timestamp stands to the server’s time. */
export function clockNow(secondsAhead: number): string {
  return isAllowed(secondsAhead)
    ? `${stood('is', secondsAhead)} now, within ${ALLOWED}. How it was when the call arrived, the debugger says of a refused call that is opened in it from Requests.`
    : `${stood('is', secondsAhead)} now, more than ${ALLOWED}: a call that is sent now with it is refused, however it is signed.`;
}

/** What the log says of the clock of a call that was refused; null when it was not refused for that. */
export function refusedForClock({ secondsAhead }: KeptRefusal): string | null {
  return isAllowed(secondsAhead) ? null : clockAtArrival(secondsAhead);
}

/** The server’s time when a call arrived, in seconds since the Unix epoch. */
export function arrivalOf({ canonical, secondsAhead }: KeptRefusal): number {
  const [, , timestamp] = canonical.split('\n');
  return Number(timestamp) - secondsAhead;
}

function stood(verb: 'is' | 'was', secondsAhead: number): string {
  return secondsAhead === 0
    ? `The timestamp ${verb} the server’s time`
    : `The timestamp ${verb} ${offBy(secondsAhead)} the server’s time`;
}

function isAllowed(secondsAhead: number): boolean {
  return Math.abs(secondsAhead) <= TIMESTAMP_TOLERANCE_SECONDS;
}
