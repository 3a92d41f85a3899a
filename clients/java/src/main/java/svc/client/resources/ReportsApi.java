// Generated from api/openapi.json by scripts/clients: change that, not this.
package svc.client.resources;

import svc.client.Call;
import svc.client.CallOptions;
import svc.client.Transport;
import svc.client.types.ComplianceReport;
import svc.client.types.ReportsGetCompliancePageQuery;
import svc.client.types.ReportsGetComplianceQuery;
import svc.client.types.ReportsGetSummaryQuery;
import svc.client.types.SummaryReport;

/**
 * What happened in a time, and what evidence there is for laws and standards. Safe for use by many threads.
 */
public final class ReportsApi {
  private final Transport transport;

  /** Made by the client: see {@link svc.client.Svc}. */
  public ReportsApi(Transport transport) {
    this.transport = transport;
  }

  /**
   * Read what happened in a time. Counts of the trail, made while the log grows over it: {@code as_of} says
   * of which events. By the time of recording, in whole hours or days (UTC). Events of test keys are not
   * counted. Needs {@code reports:read}.
   */
  public SummaryReport getSummary() {
    return getSummary(null, null);
  }

  /**
   * Read what happened in a time. Counts of the trail, made while the log grows over it: {@code as_of} says
   * of which events. By the time of recording, in whole hours or days (UTC). Events of test keys are not
   * counted. Needs {@code reports:read}.
   */
  public SummaryReport getSummary(ReportsGetSummaryQuery query) {
    return getSummary(query, null);
  }

  /**
   * Read what happened in a time. Counts of the trail, made while the log grows over it: {@code as_of} says
   * of which events. By the time of recording, in whole hours or days (UTC). Events of test keys are not
   * counted. Needs {@code reports:read}. {@code query}: {@code null} for none. {@code options}: {@code null}
   * for those of the client.
   */
  public SummaryReport getSummary(ReportsGetSummaryQuery query, CallOptions options) {
    return transport.json(Call.of("GET", "/v1/reports/summary").query(query), SummaryReport.class, options);
  }

  /**
   * Read what evidence the trail holds for a framework. Provision by provision: what it asks for, of whom,
   * what the log holds that speaks to it, and what is missing. With {@code Accept: text/html} or {@code
   * format=html} a page to print. It is no legal advice and no conformity assessment. Needs {@code
   * reports:read}.
   */
  public ComplianceReport getCompliance(ReportsGetComplianceQuery query) {
    return getCompliance(query, null);
  }

  /**
   * Read what evidence the trail holds for a framework. Provision by provision: what it asks for, of whom,
   * what the log holds that speaks to it, and what is missing. With {@code Accept: text/html} or {@code
   * format=html} a page to print. It is no legal advice and no conformity assessment. Needs {@code
   * reports:read}. {@code query}: {@code null} for none. {@code options}: {@code null} for those of the
   * client.
   */
  public ComplianceReport getCompliance(ReportsGetComplianceQuery query, CallOptions options) {
    return transport.json(
        Call.of("GET", "/v1/reports/compliance")
            .query(query),
        ComplianceReport.class, options);
  }

  /**
   * Read what evidence the trail holds for a framework, as a page. Provision by provision: what it asks for,
   * of whom, what the log holds that speaks to it, and what is missing. With {@code Accept: text/html} or
   * {@code format=html} a page to print. It is no legal advice and no conformity assessment. Needs {@code
   * reports:read}.
   */
  public String getCompliancePage(ReportsGetCompliancePageQuery query) {
    return getCompliancePage(query, null);
  }

  /**
   * Read what evidence the trail holds for a framework, as a page. Provision by provision: what it asks for,
   * of whom, what the log holds that speaks to it, and what is missing. With {@code Accept: text/html} or
   * {@code format=html} a page to print. It is no legal advice and no conformity assessment. Needs {@code
   * reports:read}. {@code query}: {@code null} for none. {@code options}: {@code null} for those of the
   * client.
   */
  public String getCompliancePage(ReportsGetCompliancePageQuery query, CallOptions options) {
    return transport.text(
        Call.of("GET", "/v1/reports/compliance")
            .query(query)
            .with("format", "html"),
        options);
  }
}
