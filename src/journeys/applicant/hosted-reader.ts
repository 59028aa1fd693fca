import { Injectable } from '@nestjs/common';
import { FEE } from '../../journey-steps/index.js';
import { LenderGateway } from '../../lenders/index.js';
import { Database, Fault, Keyring, sha256 } from '../../platform/index.js';
import { ProductCatalogue, ServiceSettings } from '../../settings/index.js';
import { Consents } from '../access/consents.js';
import {
  type ApplicantFile,
  DETAIL_NAMES,
  type DetailName,
  masked,
  missingDetails,
  shownApplicant,
} from '../domain/applicant-details.js';
import { isPast, isTerminal, redirectStepOf, stepOfState } from '../domain/journey-state.js';
import { isConfirmed } from '../domain/journey.js';
import { transition } from '../domain/transition-table.js';
import { bindingStep, type OfferChange } from '../offers/offer-change-policy.js';
import { ApplicantFiles } from '../progress/applicant-file.js';
import { ProviderWait } from '../redirects/provider-wait.js';
import { RedirectSteps } from '../redirects/redirect-steps.js';
import { ReturnUrls } from '../redirects/return-urls.js';
import type { HostedKey } from '../store/hosted-sessions.repository.js';
import { JourneyFeesRepository, payUntil } from '../store/journey-fees.repository.js';
import type { Journey } from '../store/journey.entity.js';
import { JourneysRepository } from '../store/journeys.repository.js';
import { HostedOfferReader } from './hosted-offer-reader.js';
import type { HostedFee, HostedJourneyView, HostedRedirect } from './hosted-view.js';

const DETAILS_PURPOSE = 'hosted.details';

@Injectable()
export class HostedApplicantReader {
  constructor(
    private readonly applicants: ApplicantFiles,
    private readonly keyring: Keyring,
  ) {}

  read(journey: Journey) {
    const account = this.applicants.openAccount(journey);
    const file = this.applicants.open(journey);
    const applicant = file && shownApplicant(file);
    const missing = applicant ? missingDetails(applicant) : [];
    const asked = new Set<DetailName>([...(file?.asked ?? []), ...missing]);
    return {
      applicant,
      missingDetails: missing,
      askedDetails: DETAIL_NAMES.filter((name) => asked.has(name)),
      detailsHash: this.detailsHash(journey, file),
      bankAccount: account && {
        ifscCode: account.ifscCode,
        maskedNumber: masked(account.accNo),
      },
    };
  }

  /** Keyed, since pages contain it. */
  private detailsHash(journey: Journey, file: ApplicantFile | null): string {
    return this.keyring.lookupHash(detailsOf(journey, file), DETAILS_PURPOSE);
  }

  isDetailsHash(journey: Journey, file: ApplicantFile | null, hash: string): boolean {
    return this.keyring.lookupHashes(detailsOf(journey, file), DETAILS_PURPOSE).includes(hash);
  }
}

function detailsOf({ productCode, loanAmount }: Journey, file: ApplicantFile | null): string {
  return JSON.stringify({ productCode, loanAmount, file });
}

@Injectable()
export class HostedExitReader {
  constructor(
    private readonly database: Database,
    private readonly redirects: RedirectSteps,
    private readonly fees: JourneyFeesRepository,
    private readonly providers: ProviderWait,
    private readonly gateway: LenderGateway,
    private readonly returnUrls: ReturnUrls,
  ) {}

  async read(journey: Journey, lenderCode: string | null) {
    return {
      redirect: lenderCode === null ? null : await this.redirectOf(journey, lenderCode),
      fee: await this.feeOf(journey),
      returnUrl: await this.returnUrls.afterJourney(journey),
    };
  }

  /** Null before the fee is requested. */
  private async feeOf(journey: Journey): Promise<HostedFee | null> {
    const isPending = journey.state === 'FEE_PENDING';
    const { state, selectedOfferId } = journey;
    const isOver = isTerminal(state) && selectedOfferId !== null;
    if (!isPending && !isOver && !isPast(journey, FEE.name)) return null;
    const fee = await this.database.transaction((tx) => this.fees.current(tx, journey));
    if (!fee) return null;
    const { amount, feeOnDecline, isTryFailed, orderId, redirectId } = fee;
    const { gatewayPaymentId, paidAt, expiresAt } = fee;
    return {
      amount,
      isKept: feeOnDecline === 'KEPT',
      isTryFailed,
      isPaying: isPending && (await this.providers.isDeciding(journey)),
      payUntil: payUntil(fee),
      expiresAt,
      orderId,
      gatewayPaymentId,
      paidAt,
      url: this.redirects.urlOf(redirectId),
    };
  }

  private async redirectOf(journey: Journey, lenderCode: string): Promise<HostedRedirect | null> {
    const { state, redirectId, stepFailures } = journey;
    const step = redirectStepOf(state);
    if (redirectId === null || step === null) return null;
    const url = this.redirects.urlOf(redirectId);
    const isDeciding = await this.providers.isDeciding(journey);
    const provider = await this.gateway.providerOf(lenderCode, step);
    return { step, url, attempt: stepFailures + 1, isDeciding, provider };
  }
}

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
    const { selected, offerChange } = offers;
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
      mayStop: mayStop(journey, consent !== null, offerChange),
      bindsAfter,
      bindsNow: bindsAfter !== null && bindsAfter === stepOfState(journey.state),
      ...(await this.exits.read(journey, selected?.offer.lenderCode ?? null)),
      stepFailures: journey.stepFailures,
      leaseUntil: journey.leaseUntil,
      pollIntervalSeconds,
      createdAt: journey.createdAt,
      finishedAt: journey.finishedAt,
      disbursedAt: journey.disbursedAt,
    };
  }
}

function mayStop(
  journey: Journey,
  hasConsented: boolean,
  offerChange: OfferChange | null,
): boolean {
  const { state, steps } = journey;
  const isBeforeMoney = transition(state, 'CONSENT_WITHDRAWN', steps) !== null;
  return isBeforeMoney && (hasConsented || isConfirmed(journey)) && offerChange !== 'MAY_BE_SIGNED';
}

function stampOf(journey: Journey): string {
  const { id, state, offerRound, selectedOfferId, redirectId, stepFailures } = journey;
  const position = [id, state, offerRound, selectedOfferId, redirectId, stepFailures];
  return sha256(JSON.stringify(position)).slice(0, 16);
}
