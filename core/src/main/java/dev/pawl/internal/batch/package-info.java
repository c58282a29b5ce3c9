/** Results of jobs, and jobs that belong together: written in the transaction in which jobs end. */
@org.jspecify.annotations.NullMarked
package dev.pawl.internal.batch;
