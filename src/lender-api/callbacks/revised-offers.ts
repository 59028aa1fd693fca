import { Injectable } from '@nestjs/common';
import {
  figureRefused,
  type LenderOffer,
  type RefusedOffer,
  VALID_LONG_ENOUGH,
} from '../../lenders/index.js';
import { checkClaimedFigures, MIN_WORKING_DAYS, workingDaysBetween } from '../../loans/index.js';
import { SystemClock } from '../../platform/index.js';
import { ServiceSettings } from '../../settings/index.js';
import { isRefused, offerOf } from '../connector/offers-of.js';
import type { CallbackOf } from '../protocol/callbacks.js';

type ToldOffer = CallbackOf<'OFFER_REVISIONS'>['offer'];

/** In paise; the APR in percent. */
interface BothFigures {
  readonly stated: number;
  readonly computed: number;
}

export interface ExaminedOffer {
  /** Empty for a correct offer. */
  readonly problems: readonly RefusedOffer[];
  /** Null when the port has no form for it. */
  readonly offer: LenderOffer | null;
  /** Null when the figures are not computed here. */
  readonly figures: Readonly<Record<'instalment' | 'netPayout' | 'apr', BothFigures>> | null;
}

@Injectable()
export class RevisedOffers {
  constructor(
    private readonly settings: ServiceSettings,
    private readonly clock: SystemClock,
  ) {}

  async examine(told: ToldOffer): Promise<ExaminedOffer> {
    const offer = offerOf(told);
    if (isRefused(offer)) return { offer: null, problems: [offer], figures: null };
    const computed = compute(offer);
    if (!(await this.isValidLongEnough(offer))) {
      const late = {
        offerReference: offer.reference,
        problem: 'VALIDITY',
        stated: told.validUntil,
        computed: VALID_LONG_ENOUGH,
      };
      return { ...computed, problems: [...computed.problems, late] };
    }
    return computed;
  }

  /** By the machine's time: an outside lender does not travel with a sandbox. */
  private async isValidLongEnough({ validUntil }: LenderOffer): Promise<boolean> {
    const { bankHolidays } = await this.settings.operating();
    const until = new Date(validUntil);
    const days = workingDaysBetween(this.clock.now(), until, new Set(bankHolidays));
    return days >= MIN_WORKING_DAYS;
  }
}

function compute(offer: LenderOffer): ExaminedOffer {
  try {
    const { quote, disagreements } = checkClaimedFigures(offer);
    const both = (stated: number, computed: number) => ({ stated, computed });
    return {
      offer,
      problems: disagreements.map((one) => figureRefused(offer.reference, one)),
      figures: {
        instalment: both(offer.instalment, quote.instalment),
        netPayout: both(offer.netDisbursed, quote.netDisbursed),
        apr: both(offer.apr, quote.apr),
      },
    };
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    const problem = { offerReference: offer.reference, problem: 'OTHER' } as const;
    return { offer, problems: [problem], figures: null };
  }
}
