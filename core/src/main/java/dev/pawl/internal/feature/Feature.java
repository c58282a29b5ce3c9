package dev.pawl.internal.feature;

import java.util.List;

/**
 * Something that jobs can have beyond being enqueued, run and retried. The kernel knows features only by this interface. An implementation is
 * named in {@code META-INF/services/dev.pawl.internal.feature.Feature} and has a constructor without parameters.
 */
public interface Feature {
    /** {@return its name, unique among all features, for messages} */
    String name();

    /** {@return its tables that name jobs; the rows of each follow what is done to those jobs} */
    List<JobLink> links();
}
