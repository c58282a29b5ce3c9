package dev.pawl.lab.report;

import java.util.ArrayList;
import java.util.List;

/** A report as Markdown, with aligned tables that are also readable on a terminal. */
final class TextPage {
    private static final int WIDEST = 100;

    private TextPage() {}

    static String of(Report report) {
        StringBuilder text = new StringBuilder("# " + report.title() + "\n");
        for (Report.Section section : report.sections()) {
            if (!section.tables().isEmpty()) {
                text.append(of(section));
            }
        }
        return text.toString();
    }

    static String of(Report.Section section) {
        StringBuilder text = new StringBuilder("\n## " + section.title() + "\n\n" + section.prose() + "\n");
        section.tables().forEach(table -> append(table, text));
        return text.toString();
    }

    private static void append(Report.Table table, StringBuilder text) {
        text.append('\n').append(table.caption()).append("\n\n");
        List<Integer> widths = new ArrayList<>();
        for (int column = 0; column < table.head().size(); column++) {
            int width = Math.max(3, table.head().get(column).length());
            for (List<String> row : table.rows()) {
                width = Math.max(
                        width, Math.min(WIDEST, escaped(row.get(column)).length()));
            }
            widths.add(width);
        }
        text.append(line(table.head(), widths)).append('|');
        widths.forEach(width -> text.append("-".repeat(width + 2)).append('|'));
        text.append('\n');
        table.rows().forEach(row -> text.append(line(row, widths)));
    }

    private static String line(List<String> cells, List<Integer> widths) {
        StringBuilder line = new StringBuilder("|");
        for (int column = 0; column < cells.size(); column++) {
            String cell = escaped(cells.get(column));
            String pad = " ".repeat(Math.max(0, widths.get(column) - cell.length()));
            boolean right = column > 0 && !cell.isEmpty() && Character.isDigit(cell.charAt(0)) && cell.length() < 20;
            line.append(' ').append(right ? pad + cell : cell + pad).append(" |");
        }
        return line.append('\n').toString();
    }

    private static String escaped(String cell) {
        return cell.replace("|", "\\|").replace("\n", " ");
    }
}
