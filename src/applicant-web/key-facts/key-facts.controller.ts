import { Controller, Get, Injectable, Param, Req } from '@nestjs/common';
import type { Request } from 'express';
import { PagePartners } from '../../auth/index.js';
import { JourneyKeyFacts } from '../../journeys/index.js';
import {
  keyFactsDocument,
  KeyFactsPdfs,
  type KeyFactsSection,
  type KeyFactsView,
  readIn,
} from '../../key-facts/index.js';
import {
  AnswersWithScreens,
  Fault,
  formatPercent,
  type Language,
  languageOf,
  LANGUAGES,
  nameOnPages,
  Page,
  PageFile,
  say,
  translate,
} from '../../platform/index.js';

interface ShownKeyFacts extends KeyFactsView {
  readonly pdfPath: string;
  /** What binds the applicant after the choice. */
  readonly bindsBy: 'SIGNATURE' | 'FEE';
}

const PROPOSED_KEYS: Readonly<Record<ShownKeyFacts['bindsBy'], string>> = {
  SIGNATURE: 'kfs.page.proposed.signature',
  FEE: 'kfs.page.proposed.fee',
};

const SCHEDULE = 'annex-c';

@Injectable()
export class KeyFactsScreens {
  constructor(private readonly pdfs: KeyFactsPdfs) {}

  page(request: Request, shown: ShownKeyFacts): Page {
    const { statement, contentHash, isAgreed, isNotTaken, pdfPath, bindsBy } = shown;
    const language = languageOf(request);
    const document = keyFactsDocument(
      statement,
      (key, values) => translate(language, key, values),
      language,
    );
    const { sections } = document;
    return new Page('offers/statement', {
      titleKey: 'kfs.page.title',
      titleValues: {
        loanType: readIn(statement, language).part1.loanType,
        lender: statement.lenderLegalName,
      },
      isWide: true,
      sheets: ['key-facts.css'],
      document,
      sections: sections.filter((section) => !isAnnex(section)),
      annexes: sections.filter(isAnnex).map((annex) => fold(annex, statement)),
      formVersion: statement.templateVersion,
      contentHash,
      isAgreed,
      standingKey: isNotTaken ? 'kfs.page.not-taken' : PROPOSED_KEYS[bindsBy],
      pdfHref: `${pdfPath}?lang=${language}`,
    });
  }

  /** Uses the address's language, else that of the browser's pages. */
  async pdf(request: Request, shown: ShownKeyFacts): Promise<PageFile> {
    const { loanProposalNumber } = shown.statement.part1;
    const language = askedLanguage(request) ?? languageOf(request);
    // Drawn before the headers are set, so that a failure is not sent as a PDF.
    const pdf = await this.pdfs.pdfOf(shown, language);
    const headers = {
      'Cache-Control': 'no-store',
      'Content-Language': language,
      'Content-Type': 'application/pdf',
      'Content-Disposition': `inline; filename="key-facts-statement-${loanProposalNumber}-${language}.pdf"`,
    };
    return new PageFile(headers, pdf);
  }
}

function isAnnex({ id }: KeyFactsSection): boolean {
  return id.startsWith('annex-');
}

function fold({ id, title, blocks }: KeyFactsSection, statement: KeyFactsView['statement']) {
  const { annualPercentageRate, instalmentCount } = statement.aprComputation;
  if (id !== SCHEDULE) {
    const apr = formatPercent(annualPercentageRate);
    const gist = say('kfs.page.annex-b', { apr });
    return { id, mark: 'doc', heading: title, gist, blocks };
  }
  const gist = say('kfs.page.annex-c', { count: instalmentCount });
  return { id, mark: 'repeat', heading: title, gist, blocks };
}

function askedLanguage(request: Request): Language | undefined {
  return LANGUAGES.find((language) => language === request.query.lang);
}

@Controller('kfs')
@AnswersWithScreens()
export class KeyFactsController {
  constructor(
    private readonly keyFacts: JourneyKeyFacts,
    private readonly screens: KeyFactsScreens,
    private readonly partners: PagePartners,
  ) {}

  @Get(':token.pdf')
  async pdf(@Param('token') token: string, @Req() request: Request): Promise<PageFile> {
    return this.screens.pdf(request, await this.read(token));
  }

  @Get(':token')
  async page(@Param('token') token: string, @Req() request: Request): Promise<Page> {
    const shown = await this.read(token);
    nameOnPages(request, () => this.partners.of(shown.owner.partnerId));
    return this.screens.page(request, shown);
  }

  private async read(token: string): Promise<ShownKeyFacts> {
    const linked = await this.keyFacts.readLink(token);
    if (!linked) throw new Fault('link_not_found');
    return { ...linked, pdfPath: `/kfs/${token}.pdf` };
  }
}
