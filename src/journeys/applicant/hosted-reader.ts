import { Injectable } from '@nestjs/common';
import { Fault, sha256 } from '../../platform/index.js';
import { ProductCatalogue, ServiceSettings } from '../../settings/index.js';
import { Consents } from '../access/consents.js';
import { isConfirmed } from '../domain/journey.js';
import { stepOfState } from '../domain/journey-state.js';
import { transition } from '../domain/transition-table.js';
import { bindingStep, type WayBack } from '../offers/ways-back.js';
import type { HostedKey } from '../store/hosted-sessions.repository.js';
import type { Journey } from '../store/journey.entity.js';
import { JourneysRepository } from '../store/journeys.repository.js';
import { HostedApplicantReader } from './hosted-applicant-reader.js';
import { HostedExitReader } from './hosted-exit-reader.js';
import { HostedOfferReader } from './hosted-offer-reader.js';
import type { HostedJourneyView } from './hosted-view.js';

@Injectable()
export class HostedReader {
  constructor(
    private readonly journeys: JourneysRepository,
    private readonly applicants: HostedApplicantReader,
    private readonly offers: HostedOfferReader,
    private readonly exits: HostedExitReader,
    private readonly consents: Consents,
    private readonly products: ProductCatalogue,
    private readonly settings: ServiceSettings,
  ) {}

  /** @throws Fault journey_not_found */
  async journey({ partnerId, journeyId }: HostedKey): Promise<Journey> {
    const journey = await this.journeys.find(partnerId, journeyId);
    if (journey?.channel !== 'API_HOSTED') throw new Fault('journey_not_found');
    return journey;
  }

  /** @throws Fault journey_not_found */
  async read(key: HostedKey): Promise<HostedJourneyView> {
    const journey = await this.journey(key);
    const offers = await this.offers.read(journey);
    const { selected, wayBack } = offers;
    const bindsAfter = selected && bindingStep(journey, selected.offer.terms);
    const { pollIntervalSeconds } = await this.settings.operating();
    const product = await this.products.find(journey.productCode);
    const consent = await this.consents.current(key);
    return {
      partnerId: journey.partnerId,
      journeyId: journey.id,
      applicationId: journey.applicationId,
      productCode: journey.productCode,
      productName: product?.displayName ?? '',
      productTexts: product?.texts ?? null,
      state: journey.state,
      steps: journey.steps,
      outcomeReason: journey.outcomeReason,
      stamp: stampOf(journey),
      loanAmount: journey.loanAmount,
      loanAmountSource: journey.loanAmountSource,
      offerRound: journey.offerRound,
      isConfirmed: isConfirmed(journey),
      consent,
      ...this.applicants.read(journey),
      ...offers,
      offersUntil: journey.state === 'INITIATED' ? journey.offersDueAt : null,
      mayStop: mayStop(journey, consent !== null, wayBack),
      bindsAfter,
      bindsNow: bindsAfter !== null && bindsAfter === stepOfState(journey.state),
      ...(await this.exits.read(journey, selected?.offer.lenderCode ?? null)),
      stepFailures: journey.stepFailures,
      leaseUntil: journey.leaseUntil,
      pollIntervalSeconds,
      createdAt: journey.createdAt,
      updatedAt: journey.updatedAt,
      finishedAt: journey.finishedAt,
      disbursedAt: journey.disbursedAt,
    };
  }
}

function mayStop(journey: Journey, hasConsented: boolean, wayBack: WayBack | null): boolean {
  const { state, steps } = journey;
  const isBeforeMoney = transition(state, 'CONSENT_WITHDRAWN', steps) !== null;
  return isBeforeMoney && (hasConsented || isConfirmed(journey)) && wayBack !== 'MAY_BE_SIGNED';
}

function stampOf(journey: Journey): string {
  const { id, state, offerRound, selectedOfferId, redirectId, stepFailures } = journey;
  const position = [id, state, offerRound, selectedOfferId, redirectId, stepFailures];
  return sha256(JSON.stringify(position)).slice(0, 16);
}
