import { Injectable } from '@nestjs/common';
import { type LenderConsent, type NewQuestion, QuestionOutbox } from '../../lenders/index.js';
import { Tx } from '../../platform/index.js';
import { ApplicantFiles } from '../domain/applicant-file.js';
import { type AttestedConsent, ConsentLog, namesLender } from '../../consents/index.js';
import { Consents, type GivenConsent } from '../access/consents.js';
import type { Journey } from '../store/journey.entity.js';
import { OfferRoundsRepository } from '../store/offer-rounds.repository.js';
import { type Lender, LenderCatalogue, ServiceSettings } from '../../settings/index.js';

/** What the applicant agreed to on our pages, or what the partner says of it. */
interface Consent {
  readonly shown: GivenConsent | null;
  readonly attested: AttestedConsent | null;
  /** Whether the applicant may be phoned; null where our page did not ask. */
  readonly mayCall: boolean | null;
}

/** Asks every lender that serves the product, side by side. */
@Injectable()
export class OfferRequests {
  constructor(
    private readonly lenders: LenderCatalogue,
    private readonly questionOutbox: QuestionOutbox,
    private readonly settings: ServiceSettings,
    private readonly applicants: ApplicantFiles,
    private readonly consents: Consents,
    private readonly log: ConsentLog,
    private readonly rounds: OfferRoundsRepository,
  ) {}

  /** Puts the questions of the current round of journeys whose deadlines run already. */
  async askOfNew(
    tx: Tx,
    journeys: readonly Journey[],
    attested: ReadonlyMap<string, AttestedConsent>,
  ): Promise<void> {
    const questions = journeys.map((journey) => {
      const given = {
        shown: null,
        attested: attested.get(journey.id) ?? null,
        mayCall: null,
      };
      return this.questionsOf(journey, journey.offerRound, given);
    });
    await this.questionOutbox.putAll(tx, (await Promise.all(questions)).flat());
  }

  /** Puts the questions of the journey's current round and starts its two deadlines. */
  ask(tx: Tx, journey: Journey): Promise<Journey> {
    return this.askRound(tx, journey, journey.offerRound);
  }

  /** A new round: the offers of the last one have run out. */
  askAgain(tx: Tx, journey: Journey): Promise<Journey> {
    return this.askRound(tx, journey, journey.offerRound + 1);
  }

  private async askRound(tx: Tx, journey: Journey, round: number): Promise<Journey> {
    const asked = await this.startDeadlines(tx, journey, round);
    const given = await this.consentOf(tx, journey);
    await this.questionOutbox.putAll(tx, await this.questionsOf(asked, round, given));
    return asked;
  }

  /** On our own screens the applicant's consent counts, and nobody's word for it. */
  private async consentOf(tx: Tx, journey: Journey): Promise<Consent> {
    const { partnerId, id, channel } = journey;
    if (channel === 'API_HOSTED') {
      const shown = await this.consents.newest(tx, journey);
      const mayCall = shown && (await this.log.mayCall(tx, journey, shown.textVersion));
      return { shown, attested: null, mayCall };
    }
    return { shown: null, attested: await this.log.attested(tx, partnerId, id), mayCall: null };
  }

  private async questionsOf(
    journey: Journey,
    round: number,
    consent: Consent,
  ): Promise<NewQuestion[]> {
    const lenders = await this.lendersToAsk(journey, consent);
    const { offersGivenUpAt } = journey;
    const payload = this.applicants.payload(journey, {
      consent: toldConsent(journey, consent),
      ...(offersGivenUpAt && { usefulUntil: offersGivenUpAt.toISOString() }),
    });
    return lenders.map((lender) => ({
      partnerId: journey.partnerId,
      subjectId: journey.id,
      lenderCode: lender.code,
      kind: 'OFFERS',
      reference: String(round),
      payload,
    }));
  }

  /**
   * A text of ours names the lenders: one that was configured after it was agreed to is told nothing,
   * neither at first nor when the lenders are asked again.
   */
  private async lendersToAsk(journey: Journey, { shown, attested }: Consent): Promise<Lender[]> {
    const lenders = await this.lenders.serving(journey.productCode);
    if (journey.channel === 'API_HOSTED') {
      return lenders.filter(({ name }) => shown !== null && namesLender(shown.shownText, name));
    }
    const named = attested?.namedLenders;
    return named ? lenders.filter(({ code }) => named.includes(code)) : lenders;
  }

  private async startDeadlines(tx: Tx, journey: Journey, round: number): Promise<Journey> {
    const { lenderDeadlineSeconds, lenderGiveUpSeconds } = await this.settings.operating();
    return this.rounds.start(tx, journey, round, {
      due: lenderDeadlineSeconds,
      givenUp: lenderGiveUpSeconds,
    });
  }
}

function toldConsent({ id }: Journey, { shown, attested, mayCall }: Consent): LenderConsent {
  if (shown) {
    const { textVersion, language, givenAt } = shown;
    return {
      givenBy: 'HOSTED',
      givenAt: givenAt.toISOString(),
      textVersion,
      language,
      ...(mayCall !== null && { mayCall }),
    };
  }
  if (!attested) throw new Error(`journey ${id} has no consent`);
  return attested.told;
}
