import { Controller, Get } from '@nestjs/common';
import { METRIC_TEXTS, type MetricTexts } from '../matching/index.js';
import {
  AnswersWithScreens,
  type Language,
  Page,
  PageLanguage,
  translate,
} from '../platform/index.js';

const GISTS = [
  ['doc', 'ranking.first'],
  ['shield', 'ranking.unpaid'],
  ['bank', 'ranking.named'],
  ['clock', 'ranking.recorded'],
] as const;

/** Every version of the ranking method that was ever in force, newest first. */
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
    gists: GISTS.map(([mark, key]) => ({ mark, text: translate(language, key) })),
    current,
    earlier,
  });
}
