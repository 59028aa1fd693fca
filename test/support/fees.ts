import { expect } from 'vitest';
import { ApplicantBrowser, atSandboxGateway } from './instant-loans.js';

/** Pays where the link of a journey's fee leads once the statement is agreed to. */
export async function payFee(feeUrl: string): Promise<void> {
  const { location } = await new ApplicantBrowser().open(feeUrl);
  expect(location).toContain('/sandbox/payment');
  await atSandboxGateway(new ApplicantBrowser(), location, 'pay');
}
