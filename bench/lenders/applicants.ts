import { headlessBody } from '../support/headless-journeys.ts';

/** The body for the next applicant; each applicant of a run is unique. */
export function nextApplicant(number: number): string {
  const mobile = String(9_000_000_000 + ((number * 7_919) % 1_000_000_000));
  return headlessBody(mobile, `ABCPV${String(number % 10_000).padStart(4, '0')}K`);
}
