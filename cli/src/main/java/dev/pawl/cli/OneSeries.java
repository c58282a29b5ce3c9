package dev.pawl.cli;

import dev.pawl.admin.SlotSeriesInfo;
import java.util.List;

/** Finds a series of slots by its name. */
final class OneSeries {
    private OneSeries() {}

    /** {@return the series} @throws NotFoundException if there is none */
    static SlotSeriesInfo find(DatabaseOptions.Session session, String name) {
        List<SlotSeriesInfo> all = session.queue().slots().list();
        return all.stream()
                .filter(series -> series.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new NotFoundException("there is no series " + Texts.cut(name)
                        + NearestNames.question(
                                name, all.stream().map(SlotSeriesInfo::name).toList())));
    }
}
