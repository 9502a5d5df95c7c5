import { z } from 'zod';

export const DetectionTypes = z.enum(['faces', 'objects', 'all']).meta({
  id: 'DetectionTypes',
  description: 'What to detect.',
});
