import { type Language, Page } from '../../platform/index.js';
import { type LeftBehind, stoppedRows } from './left-behind.js';

const TEXTS = {
  stopped: { titleKey: 'entry.stopped.title', leadKey: 'entry.stopped.lead' },
  closed: { titleKey: 'entry.closed.title', leadKey: 'entry.closed.lead' },
};

export function stoppedPage(
  how: keyof typeof TEXTS,
  returnUrl: string | null,
  left: LeftBehind,
  wereAsked: boolean,
  language: Language,
): Page {
  return new Page('entry/stopped', {
    titleKey: TEXTS[how].titleKey,
    leadKey: how === 'stopped' && !wereAsked ? 'entry.stop.unasked' : TEXTS[how].leadKey,
    rows: stoppedRows(left, wereAsked, language),
    mandates: left.mandates,
    returnUrl,
  });
}
