import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { keyFactsDocument, KeyFactsPdfs, type KeyFactsView } from '../../key-facts/index.js';
import { type Language, LANGUAGES, languageOf, Screens, translate } from '../../platform/index.js';

/** A statement and where its PDF is. */
export interface ShownKeyFacts extends KeyFactsView {
  readonly pdfPath: string;
}

/** Shows a Key Facts Statement, whatever loan it is of: as a page, and as a PDF to keep. */
@Injectable()
export class KeyFactsScreens {
  constructor(
    private readonly screens: Screens,
    private readonly pdfs: KeyFactsPdfs,
  ) {}

  page(request: Request, response: Response, shown: ShownKeyFacts): Promise<void> {
    const { statement, contentHash, isAgreed, pdfPath } = shown;
    const language = languageOf(request);
    return this.screens.render(request, response, 'key-facts-statement', {
      titleKey: 'kfs.page.title',
      titleValues: { loanType: statement.part1.loanType, lender: statement.lenderLegalName },
      isWide: true,
      sheets: ['key-facts.css'],
      document: keyFactsDocument(statement, (key, values) => translate(language, key, values)),
      formVersion: statement.templateVersion,
      contentHash,
      isAgreed,
      pdfHref: `${pdfPath}?lang=${language}`,
    });
  }

  /** In the language that the address names, else in that of the browser's other pages. */
  async pdf(request: Request, response: Response, shown: ShownKeyFacts): Promise<void> {
    const { loanProposalNumber } = shown.statement.part1;
    const language = askedLanguage(request) ?? languageOf(request);
    // Whoever only asks whether it is there causes no work; a failure is not a PDF, and says so itself.
    const pdf = request.method === 'HEAD' ? undefined : await this.pdfs.pdfOf(shown, language);
    response.setHeader('Cache-Control', 'no-store');
    response.setHeader('Content-Language', language);
    response.setHeader('Content-Type', 'application/pdf');
    response.setHeader(
      'Content-Disposition',
      `inline; filename="key-facts-statement-${loanProposalNumber}-${language}.pdf"`,
    );
    response.end(pdf);
  }
}

function askedLanguage(request: Request): Language | undefined {
  return LANGUAGES.find((language) => language === request.query.lang);
}
