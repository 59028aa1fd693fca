import type { LenderBranch } from '../../settings/index.js';

/** How much of two PIN codes is alike: 1 the region of the post, 2 its part of a state, 3 the district. */
const DISTRICT_DIGITS = 3;

/** The branch whose PIN code is most like the applicant's. It is no distance: that nobody has measured. */
export interface BranchByPin {
  readonly name: string;
  readonly address: string;
  /** Whether it is in the postal district of the applicant's PIN code. */
  readonly isInDistrict: boolean;
}

/**
 * @param pinCode six digits; null where it is not known
 * @returns null where no branch is in the applicant's region, or its addresses have no PIN codes
 */
export function branchByPin(
  branches: readonly Pick<LenderBranch, 'name' | 'address'>[],
  pinCode: string | null,
): BranchByPin | null {
  if (pinCode === null) return null;
  const likeness = branches.map((branch) => ({
    branch,
    digits: alikeDigits(pinCodeIn(branch.address), pinCode),
  }));
  const [best] = likeness.toSorted((one, other) => other.digits - one.digits);
  if (!best || best.digits === 0) return null;
  const { name, address } = best.branch;
  return { name, address, isInDistrict: best.digits >= DISTRICT_DIGITS };
}

/** Whether it is known that no branch is in the applicant's region: each has a PIN code there to compare with. */
export function isNoneInRegion(
  branches: readonly Pick<LenderBranch, 'address'>[],
  pinCode: string | null,
): boolean {
  if (pinCode === null || branches.length === 0) return false;
  const codes = branches.map(({ address }) => pinCodeIn(address));
  return codes.every((code) => code !== '' && alikeDigits(code, pinCode) === 0);
}

/** The last one: house numbers come before. */
function pinCodeIn(address: string): string {
  return (
    [...address.matchAll(/(?<!\d)[1-9]\d{2} ?\d{3}(?!\d)/g)].at(-1)?.[0].replace(' ', '') ?? ''
  );
}

function alikeDigits(one: string, other: string): number {
  let digits = 0;
  while (digits < one.length && one[digits] === other[digits]) digits += 1;
  return digits;
}
