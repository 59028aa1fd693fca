import { Injectable } from '@nestjs/common';
import { ESIGN, FEE } from '../../journey-steps/index.js';
import type { OfferTerms } from '../../lenders/index.js';
import { Clock, type Tx } from '../../platform/index.js';
import type { BindingStep } from '../../settings/index.js';
import { isPast, redirectStepOf, stepOfState } from '../domain/journey-state.js';
import { LenderWithdrawals } from '../progress/lender-withdrawals.js';
import { transition } from '../domain/transition-table.js';
import { ProviderWait } from '../redirects/provider-wait.js';
import type { Journey } from '../store/journey.entity.js';
import type { Offer } from '../store/offer.entity.js';
import { OffersRepository } from '../store/offers.repository.js';
import type { Redirect } from '../store/redirect.entity.js';
import { RedirectsRepository } from '../store/redirects.repository.js';

/** Marks a session of an earlier visit; the step's own sessions count from 1. */
const SESSION_BEFORE = 0;

/**
 * `BOUND`: the lender's terms forbid another choice. `MAY_BE_SIGNED`: the signature's outcome is unknown.
 * `NONE_LEFT`: no other offer is available.
 */
export type OfferChange = 'OPEN' | 'BOUND' | 'MAY_BE_SIGNED' | 'NONE_LEFT';

interface KnownRound {
  readonly offers: readonly Offer[];
  readonly notified: ReadonlySet<string>;
}

export interface OfferChangeState extends Pick<KnownRound, 'notified'> {
  readonly offerChange: OfferChange | null;
  readonly mayCoverSignature: boolean;
}

export const NO_OFFER_CHANGE: OfferChangeState = {
  offerChange: null,
  notified: new Set(),
  mayCoverSignature: false,
};

/** Decides until when, and for which offers, a hosted journey's choice can be changed. */
@Injectable()
export class OfferChangePolicy {
  constructor(
    private readonly offers: OffersRepository,
    private readonly redirects: RedirectsRepository,
    private readonly providers: ProviderWait,
    private readonly withdrawals: LenderWithdrawals,
    private readonly clock: Clock,
  ) {}

  /**
   * @param unsigned as in `mayBeSigned`
   * @param round if already read
   * @returns null when nothing is chosen, the agreement is signed, or a partner's program chooses
   */
  async of(
    tx: Tx,
    journey: Journey,
    unsigned?: string | null,
    round?: KnownRound,
  ): Promise<OfferChange | null> {
    if (!mayRelease(journey) || isPast(journey, ESIGN.name)) return null;
    if (await this.mayBeSigned(tx, journey, unsigned)) return 'MAY_BE_SIGNED';
    const { terms } = await this.offers.selected(tx, journey);
    if (isBound(journey, terms)) return 'BOUND';
    return (await this.others(tx, journey, round)).length > 0 ? 'OPEN' : 'NONE_LEFT';
  }

  async others(tx: Tx, journey: Journey, round?: KnownRound): Promise<Offer[]> {
    const notified = round?.notified ?? (await this.withdrawals.notifiedNotChosen(tx, journey));
    const offers = round?.offers ?? (await this.offers.listIn(tx, journey));
    const now = this.clock.now();
    return offers.filter(
      ({ id, lenderCode, validUntil }) =>
        id !== journey.selectedOfferId && validUntil > now && !notified.has(lenderCode),
    );
  }

  /**
   * True if a signing visit passed, or its outcome is unknown.
   * @param unsigned the session that the lender called unsigned (null: there was none); a later session may be
   * signed. Absent: not checked
   */
  async mayBeSigned(tx: Tx, journey: Journey, unsigned?: string | null): Promise<boolean> {
    const visits = await this.redirects.signingVisits(tx, journey);
    if (redirectStepOf(journey.state) !== ESIGN.name && visits.some(isPassed)) return true;
    const current = currentSession(visits, journey);
    if (current === null) return false;
    if (unsigned !== undefined && current !== unsigned) return true;
    return this.providers.isDecidingIn(tx, journey);
  }

  async stateOf(tx: Tx, journey: Journey, offers: readonly Offer[]): Promise<OfferChangeState> {
    const notified = await this.withdrawals.notifiedNotChosen(tx, journey);
    const offerChange = await this.of(tx, journey, undefined, { offers, notified });
    return { offerChange, notified, mayCoverSignature: await this.mayCoverSignature(tx, journey) };
  }

  private async mayCoverSignature(tx: Tx, journey: Journey): Promise<boolean> {
    const step = redirectStepOf(journey.state);
    if (step === null || step === ESIGN.name) return false;
    return (await this.signingSession(tx, journey)) !== null;
  }

  /** @returns the session in which the applicant may sign or may have signed */
  async signingSession(tx: Tx, journey: Journey): Promise<string | null> {
    return currentSession(await this.redirects.signingVisits(tx, journey), journey);
  }
}

/** Null: no choice is forbidden before the signature. */
export function bindingStep(
  { steps }: Pick<Journey, 'steps'>,
  { bindsAfter }: OfferTerms,
): BindingStep | null {
  return bindsAfter !== undefined && steps.includes(bindsAfter) ? bindsAfter : null;
}

function currentSession(visits: readonly Redirect[], journey: Journey): string | null {
  const { redirectId, state, stepFailures } = journey;
  const current = visits.find(({ id }) => id === redirectId);
  if (current) return `${current.id}:${current.sessionNumber}`;
  // An earlier visit may also have covered the signature's first attempt.
  const isCovered = redirectStepOf(state) === ESIGN.name && visits.some(isPassed);
  return isCovered && stepFailures === 0 ? `${redirectId}:${SESSION_BEFORE}` : null;
}

function isPassed({ verdict }: Redirect): boolean {
  return verdict === 'PASSED';
}

function mayRelease({ channel, selectedOfferId, state, steps }: Journey): boolean {
  const isChosen = channel === 'API_HOSTED' && selectedOfferId !== null;
  return isChosen && transition(state, 'OFFER_LET_GO', steps) !== null;
}

function isBound({ state, steps }: Journey, terms: OfferTerms): boolean {
  // The paid fee belongs to the chosen lender.
  if (isPast({ state, steps }, FEE.name)) return true;
  const [last, current] = [bindingStep({ steps }, terms), stepOfState(state)];
  if (last === null || current === null) return false;
  return steps.indexOf(current) > steps.indexOf(last);
}
