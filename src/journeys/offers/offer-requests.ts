import { Injectable } from '@nestjs/common';
import { type LenderConsent, type NewQuestion, QuestionOutbox } from '../../lenders/index.js';
import { Tx } from '../../platform/index.js';
import { ApplicantFiles } from '../progress/applicant-file.js';
import { type AttestedConsent, ConsentLog, namesLender } from '../../consents/index.js';
import { Consents, type GivenConsent } from '../access/consents.js';
import { isInstant } from '../domain/journey.js';
import type { Journey } from '../store/journey.entity.js';
import { OfferRoundsRepository } from '../store/offer-rounds.repository.js';
import { type Lender, LenderCatalogue, ServiceSettings } from '../../settings/index.js';

/** `shown`: given on our page. `attested`: stated by the partner. */
interface Consent {
  readonly shown: GivenConsent | null;
  readonly attested: AttestedConsent | null;
  /** Null: our page did not ask. */
  readonly mayCall: boolean | null;
}

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

  /** For new journeys, whose deadlines are already set. */
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

  /** Starts the round's two deadlines. */
  ask(tx: Tx, journey: Journey): Promise<Journey> {
    return this.askRound(tx, journey, journey.offerRound);
  }

  askAgain(tx: Tx, journey: Journey): Promise<Journey> {
    return this.askRound(tx, journey, journey.offerRound + 1);
  }

  private async askRound(tx: Tx, journey: Journey, round: number): Promise<Journey> {
    const { offersDueIn: due, offersGivenUpIn: givenUp } = await this.deadlines();
    const asked = await this.rounds.start(tx, journey, round, { due, givenUp });
    const given = await this.consentOf(tx, journey);
    await this.questionOutbox.putAll(tx, await this.questionsOf(asked, round, given));
    return asked;
  }

  /** On hosted journeys only the applicant's own consent counts. */
  private async consentOf(tx: Tx, journey: Journey): Promise<Consent> {
    const { partnerId, id } = journey;
    if (isAskedOnPages(journey)) {
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
      consent: consentForLenders(journey, consent),
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

  /** The consent names its lenders: one configured later is not asked. */
  private async lendersToAsk(journey: Journey, { shown, attested }: Consent): Promise<Lender[]> {
    const serving = await this.lenders.serving(journey.productCode);
    // The lender must be able to lend the requested amount: its offer is binding.
    const lenders = isInstant(journey) ? serving.filter((one) => lends(one, journey)) : serving;
    if (isAskedOnPages(journey)) {
      return lenders.filter(({ name }) => shown !== null && namesLender(shown.shownText, name));
    }
    const named = attested?.namedLenders;
    return named ? lenders.filter(({ code }) => named.includes(code)) : lenders;
  }

  /** In seconds from now. */
  async deadlines(): Promise<{ readonly offersDueIn: number; readonly offersGivenUpIn: number }> {
    const { lenderDeadlineSeconds, lenderGiveUpSeconds } = await this.settings.operating();
    return { offersDueIn: lenderDeadlineSeconds, offersGivenUpIn: lenderGiveUpSeconds };
  }
}

function isAskedOnPages(journey: Journey): boolean {
  return journey.channel === 'API_HOSTED' && !isInstant(journey);
}

export function lends(
  { terms }: Lender,
  { productCode, loanAmount }: Pick<Journey, 'productCode' | 'loanAmount'>,
): boolean {
  const product = terms.products[productCode];
  return (
    product !== undefined &&
    loanAmount >= product.minimumAmount &&
    loanAmount <= product.maximumAmount
  );
}

function consentForLenders({ id }: Journey, { shown, attested, mayCall }: Consent): LenderConsent {
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
  return attested.forLenders;
}
