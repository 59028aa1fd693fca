import { expect } from 'vitest';
import { ApplicantBrowser, atSandboxGateway } from './instant-loans.js';

/** The target of a journey's fee link, once the statement is acknowledged. */
export async function gatewayOf(feeUrl: string): Promise<string> {
  const { location } = await new ApplicantBrowser().open(feeUrl);
  expect(location).toContain('/sandbox/payment');
  return location;
}

export async function payAt(gateway: string): Promise<void> {
  await atSandboxGateway(new ApplicantBrowser(), gateway, 'pay');
}

export async function payFee(feeUrl: string): Promise<void> {
  await payAt(await gatewayOf(feeUrl));
}
