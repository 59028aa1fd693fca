import { Controller, Get } from '@nestjs/common';
import { consentDigest, HostedConsents } from '../../journeys/index.js';
import { FormField, FormPost, Page, readForm, Rule, type SeeOther } from '../../platform/index.js';
import { ServiceSettings } from '../../settings/index.js';
import type { ShownAgain } from '../acknowledgement-page.js';
import { questionOf, TO_CURRENT_SCREEN } from './current-screen.js';
import { JourneyHere, type JourneyVisit, SignedIn } from './signed-in.js';

/** Icons: who, what, credit report, how long, changing your mind. */
const MARKS = ['bank', 'id', 'score', 'clock', 'repeat'];

/** Open when folding is off: who, what, credit report. */
const OPEN_PARTS = 3;

class ConsentForm {
  @Rule('ticked', (value) => value === true, 'entry.consent.missing')
  @FormField({ as: 'checkbox', wrong: 'entry.consent.missing' })
  agree: boolean;
}

@Controller('hosted/consent')
@SignedIn()
export class ConsentController {
  constructor(
    private readonly consents: HostedConsents,
    private readonly settings: ServiceSettings,
  ) {}

  @Get()
  show(@JourneyHere() visit: JourneyVisit): Promise<Page> {
    return this.page(visit);
  }

  @FormPost()
  async agree(@JourneyHere() visit: JourneyVisit): Promise<Page | SeeOther> {
    const { session, language, request } = visit;
    const form = readForm(request, ConsentForm);
    const { errors, entered } = form;
    if (!form.isValid) return this.page(visit, { errors, entered });
    const isRecorded = await this.consents.recordConsent(session, {
      language,
      shown: entered.shown ?? '',
      // Only a ticked box gives consent.
      mayCall: entered.calls === '1',
      clientAddress: request.ip ?? 'unknown',
    });
    if (isRecorded) return TO_CURRENT_SCREEN;
    // The applicant must read the changed text before agreeing.
    return this.page(visit, { hasChanged: true });
  }

  private async page({ view, language }: JourneyVisit, more: ShownAgain = {}): Promise<Page> {
    const text = await this.consents.consentText(view, language);
    const { consentFolded = true } = await this.settings.operating();
    return new Page('entry/consent', {
      titleKey: 'entry.consent.title',
      question: questionOf(view, 'consent'),
      parts: text.parts.map((part, place) => ({
        ...part,
        points: part.points.map(unbroken),
        mark: MARKS[place],
        isOpen: !consentFolded && place < OPEN_PARTS,
      })),
      agreement: text.agreement,
      calls: text.calls,
      callsNote: text.callsNote,
      shown: consentDigest(text),
      ...more,
    });
  }
}

/** A phone number stays on one line. */
function unbroken(text: string): string {
  return text.replaceAll(/(?<=\d) (?=\d)/g, '\u00A0');
}
