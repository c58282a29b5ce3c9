package dev.pawl.lab.study;

import java.util.Map;
import java.util.Optional;

/**
 * The study's results on a machine with two processors (C4.large; MySQL 5.7, PostgreSQL 9.5), as published or in its
 * raw files: means of ten runs.
 */
public final class Published {
    private static final Map<String, Double> ON_MYSQL = Map.of(
            "DBP-0-0-5", 452.04,
            "DBP-0-1-5", 313.4,
            "DBP-0-1-1", 251.2,
            "DBP-1-0-1", 347.82,
            "DBP-0-0-5-noindex", 171.61,
            "DBO-0", 386.42,
            "DBO-1", 644.52,
            "DBO-2", 614.6,
            "DBO-5", 618.4,
            "DBO-6", 592.7);
    private static final Map<String, Double> ON_POSTGRES = Map.of(
            "DBP-0-0-5", 273.13,
            "DBP-0-1-1", 269.1,
            "DBP-1-0-1", 332.5,
            "DBP-0-0-5-noindex", 263.86,
            "DBO-0", 180.41,
            "DBO-1", 468.33);
    private static final Map<String, Double> ON_SQLITE = Map.of("DBO-0", 128.9, "DBO-1", 126.6);
    private static final Map<String, Order> ORDER_ON_MYSQL = Map.of(
            "DBP-0-1-1", new Order(11_795, 949, 4_264, 5_018),
            "DBP-0-0-5", new Order(10_000, 0.26, 5.8, 7),
            "DBP-1-0-1", new Order(10_000, 0.31, 5.2, 7),
            "DBP-0-0-5-noindex", new Order(10_000, 0.36, 6.1, 7),
            "DBO-0", new Order(10_000, 0.41, 7.2, 13),
            "DBO-1", new Order(10_000, 6.38, 74.7, 102),
            "DBO-2", new Order(10_000, 2.78, 19.7, 24),
            "DBO-5", new Order(10_000, 2.86, 33.6, 49),
            "DBO-6", new Order(10_000, 1.8, 12.7, 15));

    /** The jobs of each run. */
    public static final int JOBS = 10_000;

    private Published() {}

    /**
     * Order and repetitions of a design in the study's runs of 10,000 jobs on MySQL, over all executions.
     *
     * @param executions mean per run
     * @param meanDistance of an execution from its position
     * @param meanLargest mean of the runs' largest distances
     * @param largest distance of all runs
     */
    public record Order(double executions, double meanDistance, double meanLargest, double largest) {}

    /** {@return the jobs per second of a design, on postgresql, sqlite, or a MySQL dialect; empty if the study has none} */
    public static Optional<Double> rate(String design, String product) {
        Map<String, Double> rates = switch (product) {
            case "postgresql" -> ON_POSTGRES;
            case "sqlite" -> ON_SQLITE;
            default -> ON_MYSQL;
        };
        return Optional.ofNullable(rates.get(design));
    }

    /** {@return order and repetitions of a design on MySQL; empty for other databases, or if the study has none} */
    public static Optional<Order> order(String design, String product) {
        return product.equals("postgresql") || product.equals("sqlite")
                ? Optional.empty()
                : Optional.ofNullable(ORDER_ON_MYSQL.get(design));
    }
}
