import { Controller, Get } from '@nestjs/common';
import type { Page } from '../../platform/index.js';
import { SignedIn, Visitor } from '../access/signed-in.js';
import type { WorkbenchVisitor } from '../access/workbench-visitors.js';
import { GUIDE } from '../guide/guide.js';
import { workbenchPage } from './workbench-page.js';

/** What the words of the API and of the timelines mean. */
@Controller('workbench/guide')
@SignedIn()
export class GuideController {
  @Get()
  show(@Visitor() visitor: WorkbenchVisitor): Page {
    return workbenchPage(visitor, 'guide', 'guide', { title: 'Guide', sections: GUIDE });
  }
}
