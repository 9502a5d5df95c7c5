import { COCO_CLASSES } from '@sightline/core/models/coco-classes';
import type { PackComponent } from './manifest.ts';

export function withDefaultClasses(component: PackComponent): PackComponent {
  return lacksClasses(component) ? { ...component, classes: COCO_CLASSES } : component;
}

/** Returns whether the component is an object detector whose classes are not known yet. */
export function lacksClasses({ role, classes }: PackComponent): boolean {
  const isDetector = role === 'ObjectDetector' || role === 'OpenVocabularyDetector';
  return isDetector && classes === undefined;
}
