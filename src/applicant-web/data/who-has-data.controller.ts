import { Controller, Get } from '@nestjs/common';
import { PagePartners } from '../../auth/index.js';
import { consentText, consentValues } from '../../consents/index.js';
import { InstantLoanPages } from '../../instant-loans/index.js';
import { HostedJourneys } from '../../journeys/index.js';
import { LenderGateway } from '../../lenders/index.js';
import {
  AnswersWithScreens,
  Fault,
  type Language,
  nameOnPages,
  Page,
  PageLanguage,
} from '../../platform/index.js';
import { type Lender, LenderCatalogue, ServiceSettings } from '../../settings/index.js';
import {
  CurrentLink,
  CurrentVisit,
  type LinkVisit,
  SignedIn,
  type Visit,
} from '../entry/signed-in.js';
import { partnerOfLoan } from '../instant-loans/instant-loan-pages.controller.js';
import {
  type DataLender,
  type DataStanding,
  type DataWays,
  type FeeTakers,
  instantStandingsOf,
  OutsideCompanies,
  REDIRECT_STEPS,
  shownLender,
  standingsOf,
  whoHasDataScreen,
} from './who-has-data.js';

/** In general, or for the applicant's own application. */
@Controller()
export class WhoHasDataController {
  constructor(
    private readonly hosted: HostedJourneys,
    private readonly instantLoans: InstantLoanPages,
    private readonly lenders: LenderCatalogue,
    private readonly gateway: LenderGateway,
    private readonly settings: ServiceSettings,
    private readonly partners: PagePartners,
    private readonly companies: OutsideCompanies,
  ) {}

  @Get('hosted/data')
  @SignedIn()
  async own(@CurrentVisit() { session, language }: Visit): Promise<Page> {
    const view = await this.hosted.read(session);
    const ways = { backHref: '/hosted', ...(view.mayStop && { stopHref: '/hosted/stop' }) };
    const { fee, selected } = view;
    const fees = fee && { orderId: fee.orderId, lenderCodes: [selected!.offer.lenderCode] };
    return this.ofLenders(standingsOf(view), fees, ways, language);
  }

  @Get('pay/:token/data')
  @AnswersWithScreens()
  async ofInstantLoan(@CurrentLink() { token, language, request }: LinkVisit): Promise<Page> {
    const lenders = await this.instantLoans.lendersOf(token);
    if (lenders === null) throw new Fault('link_not_found');
    nameOnPages(request, () => partnerOfLoan(token, this.instantLoans, this.partners));
    const { asked, chosen, paymentOrderId: orderId } = lenders;
    const fees = { orderId, lenderCodes: chosen === null ? asked : [chosen] };
    const ways = { backHref: `/pay/${token}`, isInstant: true };
    return this.ofLenders(instantStandingsOf(asked, chosen), fees, ways, language);
  }

  private async ofLenders(
    standings: ReadonlyMap<string, DataStanding>,
    fees: FeeTakers | null,
    ways: DataWays,
    language: Language,
  ): Promise<Page> {
    const lenders = (await this.lenders.list()).filter(({ code }) => standings.has(code));
    const shown = await Promise.all(
      lenders.map(async (lender) =>
        shownLender(await this.dataLender(lender), standings.get(lender.code) ?? null, language),
      ),
    );
    return this.page(shown, fees, ways, language);
  }

  @Get('data')
  @AnswersWithScreens()
  async all(@PageLanguage() language: Language): Promise<Page> {
    const enabled = (await this.lenders.list()).filter(({ isEnabled }) => isEnabled);
    const shown = await Promise.all(
      enabled.map(async (lender) => shownLender(await this.dataLender(lender), null, language)),
    );
    const fees = { orderId: null, lenderCodes: enabled.map(({ code }) => code) };
    return this.page(shown, fees, {}, language);
  }

  /** Linked from the pages that a partner's applicants see. */
  @Get('data/:token')
  @AnswersWithScreens()
  ofPartner(@CurrentLink() { token, language, request }: LinkVisit): Promise<Page> {
    const partnerId = this.partners.idOf(token);
    if (partnerId === null) throw new Fault('link_not_found');
    nameOnPages(request, () => this.partners.of(partnerId));
    return this.all(language);
  }

  private async page(
    lenders: Parameters<typeof whoHasDataScreen>[0],
    fees: FeeTakers | null,
    ways: DataWays,
    language: Language,
  ): Promise<Page> {
    const companies = await this.companies.of(fees);
    const { dataKeptYears } = await this.settings.operating();
    const brand = await this.settings.brand();
    const consent = consentText(language, consentValues('HOSTED', brand, [], dataKeptYears));
    return new Page(
      'entry/who-has-data',
      whoHasDataScreen(lenders, companies, ways, consent, language),
    );
  }

  private async dataLender({ code, name, terms }: Lender): Promise<DataLender> {
    const firms = await Promise.all(
      REDIRECT_STEPS.map(async (step) => ({
        step,
        provider: await this.gateway.providerOf(code, step),
      })),
    );
    return {
      name,
      phone: (terms.contact ?? terms.grievanceOfficer).phone,
      ...(terms.creditReport && { creditReport: terms.creditReport }),
      recoveryAgent: terms.recoveryAgentLsp,
      firms: firms.flatMap(({ step, provider }) => (provider ? [{ step, provider }] : [])),
    };
  }
}
