package dev.pawl.lab.report;

import dev.pawl.lab.run.LabFile;
import java.util.List;
import java.util.stream.Stream;

/** Formats result files for people: as a page, or as text. */
public final class Reports {
    private Reports() {}

    /**
     * @param files at least one
     * @return a self-contained page
     */
    public static String html(List<LabFile> files) {
        return HtmlPage.of(report(files));
    }

    /**
     * @param files at least one
     * @return the report without charts, with tables in Markdown
     */
    public static String text(List<LabFile> files) {
        return TextPage.of(report(files));
    }

    /**
     * @param files of {@code pawl lab run --performance}
     * @return the tables of the page on performance, in Markdown
     */
    public static String performance(List<LabFile> files) {
        return TextPage.of(new Performance(Results.of(files)).report());
    }

    /**
     * @param says the source's claim, and how it is tested
     * @param caption of the table
     * @param head of its columns
     * @param rows with the same number of cells each
     * @return a section as text, with a table in Markdown
     */
    public static String scenario(
            String name, String says, String caption, List<String> head, List<List<String>> rows) {
        return TextPage.of(new Report.Section(name, says, List.of(new Report.Table(caption, head, rows)), List.of()));
    }

    private static Report report(List<LabFile> files) {
        Results results = Results.of(files);
        Throughput throughput = new Throughput(results);
        Order order = new Order(results);
        Faults faults = new Faults(results);
        StudyTables study = new StudyTables(results);
        Scenarios scenarios = new Scenarios(results);
        return new Report(
                "Pawl lab: " + String.join(", ", results.databases()),
                Stream.of(
                                throughput.rates(),
                                new Comparison(results).sideBySide(),
                                throughput.peers(),
                                throughput.lanes(),
                                new Nodes(results).claims(),
                                new Loads(results).underLoad(),
                                new Loads(results).behindABacklog(),
                                throughput.scaling(),
                                scenarios.latencies(),
                                study.rates(),
                                study.order(),
                                order.repeats(),
                                order.ordering(),
                                order.windows(),
                                faults.faults(),
                                faults.costs(),
                                scenarios.disturbances(),
                                scenarios.recoveries(),
                                new Provenance(results).where())
                        .filter(section -> !section.isEmpty())
                        .toList());
    }
}
