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

/** A session of an earlier visit; the step's own count from 1. */
const SESSION_BEFORE = 0;

/**
 * `BOUND`: the lender's terms forbid another choice. `MAY_BE_SIGNED`: the signature's outcome is unknown.
 * `NONE_LEFT`: no other offer is available.
 */
export type WayBack = 'OPEN' | 'BOUND' | 'MAY_BE_SIGNED' | 'NONE_LEFT';

/** `told`: lenders told that another offer was chosen. */
interface KnownRound {
  readonly offers: readonly Offer[];
  readonly told: ReadonlySet<string>;
}

export interface Outlook extends Pick<KnownRound, 'told'> {
  readonly wayBack: WayBack | null;
  /** Whether the open session also covers the signature. */
  readonly mayCoverSignature: boolean;
}

export const NO_OUTLOOK: Outlook = { wayBack: null, told: new Set(), mayCoverSignature: false };

/** Decides until when, and for which offers, a hosted journey's choice can be changed. */
@Injectable()
export class WaysBack {
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
   * @returns null where nothing is chosen, the agreement is signed, or a partner's program chooses
   */
  async of(
    tx: Tx,
    journey: Journey,
    unsigned?: string | null,
    round?: KnownRound,
  ): Promise<WayBack | null> {
    if (!mayLetGo(journey) || isPast(journey, ESIGN.name)) return null;
    if (await this.mayBeSigned(tx, journey, unsigned)) return 'MAY_BE_SIGNED';
    const { terms } = await this.offers.selected(tx, journey);
    if (isBound(journey, terms)) return 'BOUND';
    return (await this.others(tx, journey, round)).length > 0 ? 'OPEN' : 'NONE_LEFT';
  }

  async others(tx: Tx, journey: Journey, round?: KnownRound): Promise<Offer[]> {
    const told = round?.told ?? (await this.withdrawals.toldNotChosen(tx, journey));
    const offers = round?.offers ?? (await this.offers.listIn(tx, journey));
    const now = this.clock.now();
    return offers.filter(
      ({ id, lenderCode, validUntil }) =>
        id !== journey.selectedOfferId && validUntil > now && !told.has(lenderCode),
    );
  }

  /**
   * Whether the applicant may have signed: in a visit that passed, or whose outcome is unknown.
   * @param unsigned the session that the lender called unsigned (null: there was none); a later one may be
   *   signed. Left out: not checked
   */
  async mayBeSigned(tx: Tx, journey: Journey, unsigned?: string | null): Promise<boolean> {
    const visits = await this.redirects.signingVisits(tx, journey);
    if (redirectStepOf(journey.state) !== ESIGN.name && visits.some(isPassed)) return true;
    const current = currentSession(visits, journey);
    if (current === null) return false;
    if (unsigned !== undefined && current !== unsigned) return true;
    return this.providers.isDecidingIn(tx, journey);
  }

  async outlook(tx: Tx, journey: Journey, offers: readonly Offer[]): Promise<Outlook> {
    const told = await this.withdrawals.toldNotChosen(tx, journey);
    const wayBack = await this.of(tx, journey, undefined, { offers, told });
    return { wayBack, told, mayCoverSignature: await this.mayCoverSignature(tx, journey) };
  }

  private async mayCoverSignature(tx: Tx, journey: Journey): Promise<boolean> {
    const step = redirectStepOf(journey.state);
    if (step === null || step === ESIGN.name) return false;
    return (await this.signingSession(tx, journey)) !== null;
  }

  /** The session in which the applicant can or could sign. */
  async signingSession(tx: Tx, journey: Journey): Promise<string | null> {
    return currentSession(await this.redirects.signingVisits(tx, journey), journey);
  }
}

/** After this step the terms forbid another choice; null: until the signature. */
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
  // An earlier visit may also have covered the first try of the signature.
  const isCovered = redirectStepOf(state) === ESIGN.name && visits.some(isPassed);
  return isCovered && stepFailures === 0 ? `${redirectId}:${SESSION_BEFORE}` : null;
}

function isPassed({ verdict }: Redirect): boolean {
  return verdict === 'PASSED';
}

function mayLetGo({ channel, selectedOfferId, state, steps }: Journey): boolean {
  const isChosen = channel === 'API_HOSTED' && selectedOfferId !== null;
  return isChosen && transition(state, 'OFFER_LET_GO', steps) !== null;
}

function isBound({ state, steps }: Journey, terms: OfferTerms): boolean {
  // The fee is the chosen lender's.
  if (isPast({ state, steps }, FEE.name)) return true;
  const [last, current] = [bindingStep({ steps }, terms), stepOfState(state)];
  if (last === null || current === null) return false;
  return steps.indexOf(current) > steps.indexOf(last);
}
