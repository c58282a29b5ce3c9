package dev.pawl.internal.place;

import dev.pawl.internal.jdbc.Database;
import dev.pawl.internal.jdbc.Dialect;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;
import java.util.function.Function;

/** Finds all {@link JobPlace}s. They store jobs outside of the tables in which each job has a row of its own. */
public final class JobPlaces {
    private JobPlaces() {}

    /**
     * Returns all places. They are loaded once, with the library's own class loader, so that the context class loader
     * of the calling thread does not matter.
     *
     * @return the places
     * @throws IllegalStateException if the service file is missing: without it jobs would silently be overlooked
     */
    public static List<JobPlace> installed() {
        if (Installed.PLACES.isEmpty()) {
            throw new IllegalStateException("META-INF/services/" + JobPlace.class.getName()
                    + " of Pawl is missing or names no place: the program was repackaged without it."
                    + " Let the packaging tool keep and merge service files");
        }
        return Installed.PLACES;
    }

    /** Holds the places; loaded at the first use. */
    private static final class Installed {
        static final List<JobPlace> PLACES =
                ServiceLoader.load(JobPlace.class, JobPlace.class.getClassLoader()).stream()
                        .map(ServiceLoader.Provider::get)
                        .toList();
    }

    private static <T> List<T> each(Function<JobPlace, T> part) {
        return installed().stream().map(part).toList();
    }

    /** {@return the parts of statements of each place} */
    public static List<PlaceSql> sql() {
        return each(JobPlace::sql);
    }

    /** {@return the reads that list the jobs of each place} */
    public static List<PlaceReads> reads(Dialect dialect) {
        return each(place -> place.reads(dialect));
    }

    /** {@return the counts of the jobs of each place} */
    public static List<PlaceCounts> counts(Dialect dialect) {
        return each(place -> place.counts(dialect));
    }

    /** {@return the reads of long runs of each place} */
    public static List<PlaceRuns> runs(Dialect dialect) {
        return each(place -> place.runs(dialect));
    }

    /** {@return new counters of jobs that complete, one for each place} */
    public static List<PlaceProgress> progress(Dialect dialect) {
        return each(place -> place.progress(dialect));
    }

    /** {@return the commands for single jobs of each place} */
    public static List<PlaceCommands> commands(Dialect dialect) {
        return each(place -> place.commands(dialect));
    }

    /** {@return new scans for jobs whose retention has expired, one for each place} */
    public static List<PlacePruner> pruners(Database database) {
        return each(place -> place.pruner(database));
    }

    /**
     * {@return the parts of all places}
     *
     * @throws SQLException from the driver
     */
    public static List<PlacePart> parts(Database database) throws SQLException {
        List<PlacePart> parts = new ArrayList<>();
        for (JobPlace place : installed()) {
            parts.addAll(place.parts(database));
        }
        return parts;
    }
}
