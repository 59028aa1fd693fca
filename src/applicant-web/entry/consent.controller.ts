import { Controller, Get } from '@nestjs/common';
import { consentDigest, HostedJourneys, type HostedJourneyView } from '../../journeys/index.js';
import {
  FormField,
  FormPost,
  type Language,
  Page,
  readForm,
  Rule,
  SeeOther,
} from '../../platform/index.js';
import { ServiceSettings } from '../../settings/index.js';
import type { ShownAgain } from '../acknowledgement-page.js';
import { CURRENT_SCREEN, questionOf, readAt } from './current-screen.js';
import { CurrentVisit, SignedIn, type Visit } from './signed-in.js';

const HERE = '/hosted/consent';

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
    private readonly hosted: HostedJourneys,
    private readonly settings: ServiceSettings,
  ) {}

  @Get()
  async show(@CurrentVisit() { session, language }: Visit): Promise<Page> {
    const view = await readAt(this.hosted, session, HERE);
    return this.page(view, language, {});
  }

  @FormPost()
  async agree(@CurrentVisit() { session, language, request }: Visit): Promise<Page | SeeOther> {
    const view = await readAt(this.hosted, session, HERE);
    const form = readForm(request, ConsentForm);
    const { errors, entered } = form;
    if (!form.isValid) return this.page(view, language, { errors, entered });
    const isRecorded = await this.hosted.recordConsent(session, {
      language,
      shown: entered.shown ?? '',
      // Only a ticked box gives consent.
      mayCall: entered.calls === '1',
      clientAddress: request.ip ?? 'unknown',
    });
    if (isRecorded) return new SeeOther(CURRENT_SCREEN);
    // The applicant must read the changed text before agreeing.
    return this.page(view, language, { hasChanged: true });
  }

  private async page(view: HostedJourneyView, language: Language, more: ShownAgain): Promise<Page> {
    const text = await this.hosted.consentText(view, language);
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
