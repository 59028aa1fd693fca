import { Injectable } from '@nestjs/common';
import { LenderGateway, QuestionOutbox, type QuestionState } from '../../lenders/index.js';
import { Clock, Database, Fault, Keyring, sha256 } from '../../platform/index.js';
import { ApplicantFiles } from '../progress/applicant-file.js';
import type { LenderWithoutOffer } from '../../matching/index.js';
import { lendersWithoutOffer } from '../offers/ended-rounds.js';
import type { Journey } from '../store/journey.entity.js';
import { JourneysRepository } from '../store/journeys.repository.js';
import { JourneyKeyFacts } from '../offers/journey-key-facts.js';
import { KeyFactsRepository } from '../../key-facts/index.js';
import type { Offer } from '../store/offer.entity.js';
import { OffersRepository } from '../store/offers.repository.js';
import {
  bindingStep,
  NO_OUTLOOK,
  type Outlook,
  type WayBack,
  WaysBack,
} from '../offers/ways-back.js';
import { ProviderWait } from '../redirects/provider-wait.js';
import { RedirectSteps } from '../redirects/redirect-steps.js';
import { ReturnUrls } from '../redirects/return-urls.js';
import { redirectStepOf, stepOfState } from '../domain/journey-state.js';
import { transition } from '../domain/transition-table.js';
import { HostedFees } from './hosted-fees.js';
import {
  type ApplicantFile,
  DETAIL_NAMES,
  type DetailName,
  masked,
  missingDetails,
  shownApplicant,
} from '../domain/applicant-details.js';
import { Consents } from '../access/consents.js';
import type { HostedLender, HostedOffer, HostedSelection } from '../offers/hosted-offers.js';
import type { HostedKey } from '../store/hosted-sessions.repository.js';
import type { HostedAccount, HostedJourneyView, HostedRedirect } from './hosted-view.js';
import { LenderCatalogue, ProductCatalogue, ServiceSettings } from '../../settings/index.js';

const DETAILS_PURPOSE = 'hosted.details';

@Injectable()
export class HostedReader {
  constructor(
    private readonly database: Database,
    private readonly journeys: JourneysRepository,
    private readonly applicants: ApplicantFiles,
    private readonly products: ProductCatalogue,
    private readonly lenders: LenderCatalogue,
    private readonly questionOutbox: QuestionOutbox,
    private readonly offers: OffersRepository,
    private readonly keyFacts: JourneyKeyFacts,
    private readonly statements: KeyFactsRepository,
    private readonly waysBack: WaysBack,
    private readonly consents: Consents,
    private readonly redirects: RedirectSteps,
    private readonly fees: HostedFees,
    private readonly providers: ProviderWait,
    private readonly gateway: LenderGateway,
    private readonly returnUrls: ReturnUrls,
    private readonly settings: ServiceSettings,
    private readonly keyring: Keyring,
    private readonly clock: Clock,
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
    const listed = await this.offers.list(journey);
    const { wayBack, told, mayCoverSignature } = await this.wayBackOf(journey, listed);
    const offers = listed.map((offer) => this.shown(journey, offer, told));
    const selected = await this.selected(journey, offers);
    const bindsAfter = selected && bindingStep(journey, selected.offer.terms);
    const account = this.applicants.openAccount(journey);
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
      ...this.applicantOf(journey),
      lenders: await this.lendersAsked(journey, offers),
      offers,
      offersUntil: journey.state === 'INITIATED' ? journey.offersDueAt : null,
      selected,
      wayBack,
      mayCoverSignature,
      mayStop: mayStop(journey, consent !== null, wayBack),
      bindsAfter,
      bindsNow: bindsAfter !== null && bindsAfter === stepOfState(journey.state),
      bankAccount: account && shownAccount(account),
      redirect: selected && (await this.redirectOf(journey, selected.offer.lenderCode)),
      fee: await this.fees.of(journey),
      stepFailures: journey.stepFailures,
      leaseUntil: journey.leaseUntil,
      returnUrl: await this.returnUrls.afterJourney(journey),
      pollIntervalSeconds,
      createdAt: journey.createdAt,
      updatedAt: journey.updatedAt,
      finishedAt: journey.finishedAt,
      disbursedAt: journey.disbursedAt,
    };
  }

  /** Identifies the details that a form showed; keyed, since pages contain it. */
  detailsHash(journey: Journey, file: ApplicantFile | null): string {
    return this.keyring.lookupHash(detailsOf(journey, file), DETAILS_PURPOSE);
  }

  isDetailsHash(journey: Journey, file: ApplicantFile | null, hash: string): boolean {
    return this.keyring.lookupHashes(detailsOf(journey, file), DETAILS_PURPOSE).includes(hash);
  }

  async hostedOffer(journey: Journey, offerId: string): Promise<HostedOffer | null> {
    const listed = await this.offers.list(journey);
    const { told } = await this.wayBackOf(journey, listed);
    const offer = listed.find(({ id }) => id === offerId);
    return offer ? this.shown(journey, offer, told) : null;
  }

  private async wayBackOf(journey: Journey, offers: readonly Offer[]): Promise<Outlook> {
    if (journey.selectedOfferId === null || journey.finishedAt !== null) return NO_OUTLOOK;
    return this.database.transaction((tx) => this.waysBack.outlook(tx, journey, offers));
  }

  private shown(
    { selectedOfferId }: Journey,
    offer: Offer,
    told: ReadonlySet<string>,
  ): HostedOffer {
    const isLetGo = told.has(offer.lenderCode);
    return {
      offerId: offer.id,
      lenderCode: offer.lenderCode,
      lenderName: offer.sellerName,
      amount: offer.principal,
      minimumAmount: offer.minimumAmount,
      figures: offer.figures,
      terms: offer.terms,
      validUntil: offer.validUntil,
      isValid: offer.validUntil > this.clock.now() && !isLetGo,
      isChosen: offer.id === selectedOfferId,
      isLetGo,
      kfsUrl: this.keyFacts.linkTo(offer.id),
    };
  }

  private applicantOf(
    journey: Journey,
  ): Pick<HostedJourneyView, 'applicant' | 'missingDetails' | 'askedDetails' | 'detailsHash'> {
    const file = this.applicants.open(journey);
    const applicant = file && shownApplicant(file);
    const missing = applicant ? missingDetails(applicant) : [];
    const asked = new Set<DetailName>([...(file?.asked ?? []), ...missing]);
    return {
      applicant,
      missingDetails: missing,
      askedDetails: DETAIL_NAMES.filter((name) => asked.has(name)),
      detailsHash: this.detailsHash(journey, file),
    };
  }

  private async lendersAsked(
    journey: Journey,
    offers: readonly HostedOffer[],
  ): Promise<HostedLender[]> {
    if (!isConfirmed(journey)) return [];
    const without = journey.state === 'INITIATED' ? null : lendersWithoutOffer(journey);
    if (without) return lendersOfEndedRound(offers, without);
    const states = await this.database.transaction((tx) =>
      this.questionOutbox.states(tx, journey.id, 'OFFERS', String(journey.offerRound)),
    );
    const asked: HostedLender[] = [];
    for (const state of states) {
      const { lenderCode } = state;
      const lender = await this.lenders.find(lenderCode);
      const hasOffered = offers.some((offer) => offer.lenderCode === lenderCode);
      const status = hasOffered ? 'OFFERED' : statusWithoutOffer(state);
      asked.push({ code: lenderCode, name: lender?.name ?? lenderCode, status });
    }
    return asked;
  }

  private async selected(
    journey: Journey,
    offers: readonly HostedOffer[],
  ): Promise<HostedSelection | null> {
    const { selection, selectedOfferId, selectedBranchId } = journey;
    const offer = offers.find(({ offerId }) => offerId === selectedOfferId);
    const agreed = offer && (await this.statements.frozen(offer.offerId));
    if (!selection || !offer || !agreed) return null;
    return {
      offer,
      selection,
      branch: offer.terms.branches.find(({ id }) => id === selectedBranchId) ?? null,
      statement: agreed.statement,
      keyFactsHash: agreed.contentHash,
      isAgreed: agreed.acknowledgement !== null,
      kfsUrl: offer.kfsUrl,
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

function lendersOfEndedRound(
  offers: readonly HostedOffer[],
  without: readonly LenderWithoutOffer[],
): HostedLender[] {
  const offered = new Map(offers.map(({ lenderCode, lenderName }) => [lenderCode, lenderName]));
  const lenders: HostedLender[] = [
    ...[...offered].map(([code, name]) => ({ code, name, status: 'OFFERED' as const })),
    ...without.map(({ code, name, standing }) => ({
      code,
      name,
      status: standing === 'DECLINED' ? ('NO_OFFER' as const) : standing,
    })),
  ];
  return lenders.toSorted((one, other) => (one.code < other.code ? -1 : 1));
}

function statusWithoutOffer({ status, isUnreachable }: QuestionState): HostedLender['status'] {
  return isUnreachable && status !== 'ANSWERED' ? 'UNREACHABLE' : LENDER_STATUSES[status];
}

const LENDER_STATUSES: Record<QuestionState['status'], HostedLender['status']> = {
  OPEN: 'WAITING',
  ANSWERED: 'NO_OFFER',
  CLOSED: 'NO_ANSWER',
};

/** Before the confirmation no lender's deadline runs. */
export function isConfirmed({ state, offersDueAt, offersGivenUpAt }: Journey): boolean {
  return state !== 'INITIATED' || offersDueAt !== null || offersGivenUpAt !== null;
}

function mayStop(journey: Journey, hasConsented: boolean, wayBack: WayBack | null): boolean {
  const { state, steps } = journey;
  const isBeforeMoney = transition(state, 'CONSENT_WITHDRAWN', steps) !== null;
  return isBeforeMoney && (hasConsented || isConfirmed(journey)) && wayBack !== 'MAY_BE_SIGNED';
}

function detailsOf({ productCode, loanAmount }: Journey, file: ApplicantFile | null): string {
  return JSON.stringify({ productCode, loanAmount, file });
}

function stampOf(journey: Journey): string {
  const { id, state, offerRound, selectedOfferId, redirectId, stepFailures } = journey;
  const position = [id, state, offerRound, selectedOfferId, redirectId, stepFailures];
  return sha256(JSON.stringify(position)).slice(0, 16);
}

type Account = Record<'accHolderName' | 'ifscCode' | 'accNo', string>;

function shownAccount({ accHolderName, ifscCode, accNo }: Account): HostedAccount {
  return { accHolderName, ifscCode, maskedNumber: masked(accNo) };
}
