import { Configuration } from './configuration.entity.js';
import { Lender } from './lender.entity.js';
import { LenderLogo } from './lender-logo.entity.js';
import { Product } from './product.entity.js';

export const SETTINGS_ENTITIES = [Configuration, Lender, LenderLogo, Product];
