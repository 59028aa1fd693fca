import { Injectable } from '@nestjs/common';
import { Signal } from '../../platform/index.js';

/** Raised when another process says that there may be deliveries to send; the sender listens. */
@Injectable()
export class DueElsewhere extends Signal {}
