import { Controller, Get } from '@nestjs/common';
import { METRIC_TEXTS } from '../matching/index.js';
import { AnswersWithScreens, type Language, Page, PageLanguage } from '../platform/index.js';

/** How offers are put in order: public, with every version that was ever in force, the newest first. */
@Controller('ranking')
@AnswersWithScreens()
export class RankingController {
  @Get()
  show(@PageLanguage() language: Language): Page {
    const [current, ...earlier] = Object.entries(METRIC_TEXTS).map(([version, texts]) => ({
      version,
      ...texts[language],
    }));
    return new Page('ranking', { titleKey: 'ranking.title', current, earlier });
  }
}
