import { Controller, Get, Query } from '@nestjs/common';
import { type HostedJourneyView, ShownComparisons } from '../../journeys/index.js';
import { METRIC_TEXTS, type MetricTexts } from '../../matching/index.js';
import {
  AnswersWithScreens,
  formatRupees,
  type Language,
  Page,
  PageLanguage,
  say,
} from '../../platform/index.js';
import { ServiceSettings } from '../../settings/index.js';
import { requireScreen } from '../entry/current-screen.js';
import { AnyJourney, type JourneyVisit, SignedIn } from '../entry/signed-in.js';
import { districtCentre } from '../steps/nearest-branch.js';
import { questionPage } from '../steps/step-pages.js';
import type { Near } from './gold-folds.js';
import { shortName } from './offer-card.js';
import { lendersWithout, offerCards } from './offer-cards.js';
import { orderIn, orderLinks } from './offer-order.js';

const REFRESH_SECONDS = 10;

const NOTICES: ReadonlyMap<string, string> = new Map([
  ['expired', 'offers.gone.expired'],
  ['withdrawn', 'offers.gone.withdrawn'],
  ['amount_out_of_range', 'offers.gone.outOfRange'],
  ['other', 'offers.gone.notTaken'],
]);

@Controller('hosted/offers')
@SignedIn()
export class OffersController {
  constructor(
    private readonly comparisons: ShownComparisons,
    private readonly settings: ServiceSettings,
  ) {}

  /** @param notice a key of `NOTICES` */
  @Get()
  async show(
    @AnyJourney() { view, language }: JourneyVisit,
    @Query('by') by: unknown,
    @Query('notice') notice: unknown,
  ): Promise<Page> {
    if (view.offerChange !== 'OPEN') requireScreen(view, '/hosted/offers');
    const order = orderIn(by);
    const compared = await this.comparisons.toApplicant(view, language, order);
    const { loanAmount: asked, lenders } = view;
    const near = await this.near(view);
    const offers = offerCards(compared, { asked, order, near });
    const chosen = view.selected && shortName(view.selected.offer);
    const count = offers.length;
    const isComparison = count > 1;
    const isAsking = lenders.some(({ status }) => status === 'WAITING');
    const model = {
      ...(isAsking && {
        refreshSeconds: REFRESH_SECONDS,
        // Any lender's response reloads the page.
        stage: lenders.map(({ status }) => status).join(' '),
      }),
      ...(!chosen
        ? { titleKey: 'offers.title', titleValues: { count } }
        : { titleKey: 'offers.again', chosen }),
      isWide: true,
      count,
      asked: formatRupees(asked),
      isGold: compared.some(({ terms }) => terms.branches.length > 0),
      isComparison,
      orders: isComparison ? orderLinks('/hosted/offers', order) : [],
      offers,
      without: lendersWithout(lenders),
      noticeKey: typeof notice === 'string' ? (NOTICES.get(notice) ?? null) : null,
    };
    return questionPage(view, 'offers', 'offers/offers', model);
  }

  private async near({ applicant }: HostedJourneyView): Promise<Near> {
    const { branchNearKm } = await this.settings.operating();
    const pinCode = applicant?.pinCode;
    return { from: pinCode ? districtCentre(pinCode) : null, withinKm: branchNearKm };
  }
}

const GISTS = [
  ['doc', 'ranking.first'],
  ['shield', 'ranking.unpaid'],
  ['bank', 'ranking.named'],
  ['clock', 'ranking.recorded'],
] as const;

/** Shows every version of the ranking method, newest first. */
@Controller('ranking')
@AnswersWithScreens()
export class RankingController {
  @Get()
  show(@PageLanguage() language: Language): Page {
    return rankingPage(METRIC_TEXTS, language);
  }
}

export function rankingPage(methods: MetricTexts, language: Language): Page {
  const [current, ...earlier] = Object.entries(methods).map(([version, texts]) => ({
    version,
    ...texts[language],
  }));
  return new Page('offers/ranking', {
    titleKey: 'entry.asked.ranking',
    gists: GISTS.map(([mark, key]) => ({ mark, text: say(key) })),
    current,
    earlier,
  });
}
