/** The body of the document's example: in the sandbox each lender answers differently. */
export const ASKED = {
  productCode: 'ONLINE_PERSONAL',
  loanAmount: 200_000,
  pinCode: '110001',
  employmentType: 'salaried',
  monthlyIncome: 60_000,
};

interface Range {
  readonly min: number;
  readonly max: number;
}

export interface Eligibility {
  readonly eligibilityId: string;
  readonly lenders: readonly {
    readonly lenderCode: string;
    readonly verdict: string;
    readonly reasons?: string[];
    readonly amount?: Range;
    readonly annualRate?: Range;
    readonly tenure?: Range;
  }[];
}
