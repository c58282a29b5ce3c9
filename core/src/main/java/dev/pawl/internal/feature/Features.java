package dev.pawl.internal.feature;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.ServiceLoader;

/** Finds the features of this library. */
public final class Features {
    private static final String OWN = Features.class.getPackageName().replaceFirst("feature$", "");

    private Features() {}

    /**
     * Loads them with the library's own class loader, so that the context of the calling thread does not matter. The library's own features
     * come first, in the order of its service file. The rows of a job are deleted in this order, which must be the same in every process.
     * Features of other artifacts follow by name.
     *
     * @return the features
     * @throws IllegalStateException if the service file is missing: without it rows would silently outlive their jobs
     */
    public static List<Feature> installed() {
        List<Feature> features = new ArrayList<>();
        ServiceLoader.load(Feature.class, Feature.class.getClassLoader()).forEach(features::add);
        features.sort(Comparator.comparing(feature -> isOwn(feature) ? "" : feature.name()));
        if (features.stream().noneMatch(Features::isOwn)) {
            throw new IllegalStateException("META-INF/services/" + Feature.class.getName()
                    + " of Pawl is missing or names no feature: the program was repackaged without it."
                    + " Let the packaging tool keep and merge service files");
        }
        return List.copyOf(features);
    }

    private static boolean isOwn(Feature feature) {
        return feature.getClass().getName().startsWith(OWN);
    }
}
