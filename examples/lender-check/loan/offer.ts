/** The parts of an offer that are recomputed. Amounts are paise, percentages decimal text. */
export interface Offer {
  readonly reference: string;
  readonly principal: number;
  readonly minimumAmount: number;
  readonly maximumAmount?: number;
  readonly tenureMonths: number;
  readonly rate: {
    readonly kind: 'FIXED' | 'FLOATING' | 'HYBRID';
    readonly annualPercent: string;
    readonly benchmark?: { readonly percent: string };
    readonly spreadPercent?: string;
  };
  readonly repayment: {
    readonly kind: 'EMI' | 'BULLET' | 'INTEREST_THEN_BULLET' | 'CUSTOM';
    readonly instalment?: number;
    readonly schedule?: readonly ScheduleEntry[];
  };
  readonly apr: string;
  readonly netPayout: number;
  readonly fees: readonly Fee[];
  readonly validUntil: string;
  readonly coolingOffDays?: number;
  readonly goldValuation?: {
    readonly value: number;
    readonly netWeightGrams: string;
    readonly pricePerGram: number;
    readonly ltvPercent: string;
  };
  readonly branches?: readonly { readonly reference: string }[];
}

export interface ScheduleEntry {
  readonly dueOn: string;
  readonly principal: number;
  readonly interest: number;
  readonly amount: number;
}

export interface Fee {
  readonly name: string;
  readonly amount: number;
  readonly gst?: number;
  readonly percentOfPrincipal?: string;
  readonly due: 'AT_PAYOUT' | 'BEFORE_PAYOUT' | 'LATER';
  readonly dueOn?: string;
}
